package precompress

// Action is what a plan will do about one coding of one asset.
type Action string

// The actions.
const (
	Keep   Action = "keep"   // the variant on disk is right
	Omit   Action = "omit"   // there is no variant, and none would save enough
	Encode Action = "encode" // the variant has to be encoded and weighed
	Touch  Action = "touch"  // the bytes are right, but the mode or modification time is not the source's
	Remove Action = "remove" // it is ours and no longer wanted
)

// Status is what a run did about one coding of one asset.
type Status string

// The statuses.
const (
	Written Status = "written" // stored or replaced
	Reused  Status = "reused"  // the file on disk was right already
	Adopted Status = "adopted" // a sibling on disk is no larger than ours, and is ours from now on
	Omitted Status = "omitted" // no variant stored
	Failed  Status = "failed"  // see the failures
	Pending Status = "pending" // not reached before the run was stopped
)

// Reason says why a plan or a run does what it does about a file. The values are
// stable; [Reason.Text] explains them.
type Reason string

// Reasons to encode.
const (
	ReasonNew             Reason = "new"
	ReasonSourceChanged   Reason = "source-changed"
	ReasonSettingsChanged Reason = "settings-changed"
	ReasonEncoderChanged  Reason = "encoder-changed"
	ReasonMissing         Reason = "missing"
	ReasonDamaged         Reason = "damaged"
	ReasonWindow          Reason = "window"
	ReasonForeign         Reason = "foreign"
	ReasonForced          Reason = "forced"
	ReasonUnfinished      Reason = "unfinished"
)

// Reasons to keep or to touch.
const (
	ReasonFresh    Reason = "fresh"
	ReasonMetadata Reason = "metadata"
)

// Reasons to omit; the same values as those of [manifest.Omission].
const (
	ReasonLarger         Reason = "larger"
	ReasonIncompressible Reason = "incompressible"
	ReasonDominated      Reason = "dominated"
)

// Reasons to try no delta, in addition to [ReasonOverMemory] and [ReasonNameTooLong].
const (
	ReasonDictionaryTooLarge Reason = "dictionary-too-large"
	ReasonDictionaryDamaged  Reason = "dictionary-damaged"
)

// Reasons to remove a file of ours.
const (
	ReasonSourceGone      Reason = "source-gone"
	ReasonCodingNotChosen Reason = "coding-not-chosen"
	ReasonCopyNotChosen   Reason = "copy-not-chosen"
	ReasonCleaned         Reason = "cleaned"
	ReasonLeftover        Reason = "leftover"
	ReasonDictionaryGone  Reason = "dictionary-gone"
)

// Reasons to skip a file, and to remove its variants from earlier builds.
const (
	ReasonExcluded       Reason = "excluded"
	ReasonNotIncluded    Reason = "not-included"
	ReasonHidden         Reason = "hidden"
	ReasonCompressedType Reason = "compressed-type"
	ReasonSymlink        Reason = "symlink"
	ReasonSymlinkAway    Reason = "symlink-away"
	ReasonSymlinkWalked  Reason = "symlink-walked"
	ReasonNotRegular     Reason = "not-regular"
	ReasonTooSmall       Reason = "too-small"
	ReasonTooLarge       Reason = "too-large"
	ReasonOverMemory     Reason = "over-memory"
	ReasonNameTooLong    Reason = "name-too-long"
	ReasonModified       Reason = "modified"
)

// Text returns the reason in plain words.
func (r Reason) Text() string {
	switch r {
	case ReasonNew:
		return "not built before"
	case ReasonSourceChanged:
		return "the source changed"
	case ReasonSettingsChanged:
		return "the settings changed"
	case ReasonEncoderChanged:
		return "made by another version of the encoder"
	case ReasonMissing:
		return "the variant is missing"
	case ReasonDamaged:
		return "the variant differs from what was written"
	case ReasonWindow:
		return "its window is larger than clients accept"
	case ReasonForeign:
		return "precompress did not write the existing file"
	case ReasonForced:
		return "forced"
	case ReasonUnfinished:
		return "an earlier run did not get to it"
	case ReasonFresh:
		return "up to date"
	case ReasonMetadata:
		return "mode or modification time differ from the source's"
	case ReasonLarger:
		return "would not save enough"
	case ReasonIncompressible:
		return "a quick estimate found nothing to gain"
	case ReasonDominated:
		return "another variant is no larger and as widely accepted"
	}
	return r.skipText()
}

func (r Reason) skipText() string {
	switch r {
	case ReasonSourceGone:
		return "the source is gone"
	case ReasonCodingNotChosen:
		return "the coding is not chosen"
	case ReasonCopyNotChosen:
		return "copies of the sources are not asked for"
	case ReasonCleaned:
		return "cleaned"
	case ReasonDictionaryGone:
		return "its dictionary is not in use any more"
	case ReasonDictionaryTooLarge:
		return "the earlier file is too large for a dictionary"
	case ReasonDictionaryDamaged:
		return "the earlier file is damaged, missing or cannot be read"
	case ReasonLeftover:
		return "left over from an interrupted run"
	case ReasonExcluded:
		return "excluded"
	case ReasonNotIncluded:
		return "not included"
	case ReasonHidden:
		return "the name starts with a dot"
	case ReasonCompressedType:
		return "the format is compressed already"
	case ReasonSymlink:
		return "a symbolic link"
	case ReasonSymlinkAway:
		return "a symbolic link that leads nowhere or out of the tree"
	case ReasonSymlinkWalked:
		return "a symbolic link to a directory that is built in its own place"
	case ReasonNotRegular:
		return "not a regular file"
	case ReasonTooSmall:
		return "too small to gain anything"
	case ReasonTooLarge:
		return "larger than the maximum size"
	case ReasonOverMemory:
		return "needs more memory than the limit"
	case ReasonNameTooLong:
		return "no sibling's name would fit the file system"
	case ReasonModified:
		return "changed by someone else since it was written"
	}
	return string(r)
}
