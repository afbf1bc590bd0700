package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

// Handler serves a tree over HTTP. Its methods may be called concurrently.
type Handler struct {
	files *FileSystem
	opts  *Options // the FileSystem's, with defaults
}

var _ http.Handler = (*Handler)(nil)

// New returns a handler for a tree in any file system, such as [embed.FS] or a zip
// archive; [Dir] is better than [os.DirFS]. Symbolic links are not followed, since
// they could lead out of the tree. It returns an error if the manifest or a directory
// cannot be read, or if the page of an option is missing.
func New(fsys fs.FS, opts Options) (*Handler, error) {
	if fsys == nil {
		return nil, errors.New("serve: there is no file system: pass one, such as os.DirFS or an embed.FS")
	}
	return newHandler(openFS(fsys), opts)
}

// Dir returns a handler for a directory. Symbolic links are followed only if they lead
// to files in the directory. Large files are sent with sendfile where the operating
// system has it. It returns errors like [New].
func Dir(path string, opts Options) (*Handler, error) {
	return newHandler(openDir(path), opts)
}

func newHandler(open opener, opts Options) (*Handler, error) {
	files, err := newFileSystem(open, opts)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	return &Handler{files, &files.opts}, nil
}

// FileSystem returns the tree, for [http.FileServer] or a router. It follows the
// handler's reloads.
func (h *Handler) FileSystem() *FileSystem { return h.files }

// Reload reads the tree again. Requests in progress keep the old tree, later ones get
// the new one. On an error, as of [New], the handler keeps the old tree.
func (h *Handler) Reload() error {
	if err := h.files.reload(); err != nil {
		return fmt.Errorf("serve: reload: %w", err)
	}
	return nil
}

// Close releases the directory that [Dir] opened. The handler must not be used
// afterwards.
func (h *Handler) Close() error { return h.files.current.Load().close() }

// Asset returns the asset with the given path. At its first use, it reads the source
// and all variants. The error wraps [fs.ErrNotExist] if there is no such asset.
func (h *Handler) Asset(path string) (Asset, error) {
	ix, release, err := h.files.acquire()
	if err != nil {
		return Asset{}, fmt.Errorf("serve: %w", err)
	}
	defer release()
	path = strings.TrimPrefix(path, "/")
	n := ix.names[path]
	if n.entry == nil || n.entry.path != path {
		return Asset{}, fmt.Errorf("serve: %s: %w", path, fs.ErrNotExist)
	}
	r, err := ix.resolve(n.entry)
	if err != nil {
		return Asset{}, fmt.Errorf("serve: %s: %w", path, err)
	}
	return r.asset, nil
}

// Assets returns all assets, sorted by path. It reads all files of the tree that were
// not used before. It omits assets that cannot be read; the error joins their errors.
func (h *Handler) Assets() ([]Asset, error) {
	var all []Asset
	err := h.each(func(r *resolved) { all = append(all, r.asset) })
	return all, err
}

// Check returns the variants and deltas that are not sent, and why, sorted by path. It
// reads the same files as [Handler.Assets], and returns errors like it.
func (h *Handler) Check() ([]Finding, error) {
	var all []Finding
	err := h.each(func(r *resolved) { all = append(all, r.findings...) })
	return all, err
}

// each calls do for every asset, in order.
func (h *Handler) each(do func(*resolved)) error {
	ix, release, err := h.files.acquire()
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer release()
	var failures []error
	for _, e := range ix.entries() {
		r, err := ix.resolve(e)
		if err != nil {
			failures = append(failures, fmt.Errorf("serve: %s: %w", e.path, err))
			continue
		}
		do(r)
	}
	return errors.Join(failures...)
}

// ServeHTTP answers a request. The URL's path without the leading slash is the path in
// the tree, exactly: there is nothing under "//" or "/./". For a tree under a prefix,
// use [http.StripPrefix].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.opts.Observe == nil {
		h.respond(w, r)
		return
	}
	start := time.Now()
	e := h.respond(w, r)
	if e.Status == 0 {
		return // Next has answered
	}
	e.Request, e.Duration = r, time.Since(start)
	h.opts.Observe(e)
}

// respond answers a request. The Event lacks the request and the duration; its status
// is 0 if Next has answered.
func (h *Handler) respond(w http.ResponseWriter, r *http.Request) Event {
	ix, release, err := h.files.acquire()
	if err != nil {
		return fail(w, r, http.StatusInternalServerError, Event{Err: err})
	}
	defer release()
	name := strings.TrimPrefix(r.URL.Path, "/")
	n := ix.names[name]
	if n.dir && ix.names[name+"/"].entry != nil {
		if !isRead(r) { // elsewhere, a browser would make a GET of it
			return notAllowed(w, r, Event{})
		}
		return redirect(w, r)
	}
	if n.entry != nil {
		if e, found := h.serveAsset(w, r, ix, n.entry, http.StatusOK); found {
			return e
		}
	}
	return h.miss(w, r, ix)
}

// miss answers a request for a name that is not in the tree.
func (h *Handler) miss(w http.ResponseWriter, r *http.Request, ix *index) Event {
	if ix.fallback != nil && mayBePage(r) {
		addVary(w.Header(), navigationFields) // whatever the answer is
		if isNavigation(r) {
			if e, found := h.serveAsset(w, r, ix, ix.fallback, http.StatusOK); found {
				return e
			}
		}
	}
	if h.opts.Next != nil {
		h.opts.Next.ServeHTTP(w, r)
		return Event{}
	}
	if ix.notFound != nil && isRead(r) {
		if e, found := h.serveAsset(w, r, ix, ix.notFound, http.StatusNotFound); found {
			return e
		}
	}
	// With another Accept-Encoding, the NotFound page or an asset without a source
	// might have been there.
	addVary(w.Header(), "Accept-Encoding")
	return fail(w, r, http.StatusNotFound, Event{})
}

// serveAsset answers a request with an asset. The status is 200, or 404 for the
// NotFound page. found is false if its files are gone; then nothing was sent.
func (h *Handler) serveAsset(w http.ResponseWriter, r *http.Request, ix *index, asset *entry, status int) (e Event, found bool) {
	e.Asset = asset.path
	if !isRead(r) {
		return notAllowed(w, r, e), true
	}
	s, err := ix.open(asset, wishOf(r, w.Header()))
	switch {
	case err == nil:
		defer s.Close()
		a := answer{w, r, s, h.opts.Header}
		return a.send(status), true
	case errors.Is(err, ErrNotAcceptable):
		addVary(w.Header(), cmp.Or(s.resolved.vary, "Accept-Encoding"))
		if h.opts.Header != nil {
			h.opts.Header(w.Header(), r, s.resolved.asset)
		}
		return fail(w, r, http.StatusNotAcceptable, e), true
	case errors.Is(err, fs.ErrNotExist):
		return e, false
	}
	e.Err = err
	if errors.Is(err, fs.ErrPermission) {
		return fail(w, r, http.StatusForbidden, e), true
	}
	return fail(w, r, http.StatusInternalServerError, e), true
}
