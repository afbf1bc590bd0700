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

// New returns a handler for a tree in any file system: [embed.FS], a zip
// archive, or [os.DirFS], for which [Dir] is the better choice. Symbolic links
// are not followed, since they could lead out of the tree. It fails if the tree's
// directories or its manifest cannot be read, or an option names a page that is
// not there.
func New(fsys fs.FS, opts Options) (*Handler, error) {
	return newHandler(openFS(fsys), opts)
}

// Dir returns a handler for a directory. Links to files are followed as long as
// they stay in the directory; links to directories are not. Large files are sent by
// the operating system (sendfile), where it can. It fails as [New] does.
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

// FileSystem returns what the handler serves, for [http.FileServer] or a
// router. It sees the handler's reloads.
func (h *Handler) FileSystem() *FileSystem { return h.files }

// Reload looks at the tree again. Requests in progress go on with what they
// have begun with, later ones see the new tree. On an error, as those of
// [New], everything stays as it was.
func (h *Handler) Reload() error {
	if err := h.files.reload(); err != nil {
		return fmt.Errorf("serve: reload: %w", err)
	}
	return nil
}

// Close releases the directory that [Dir] has opened. The handler must not be
// used afterwards.
func (h *Handler) Close() error { return h.files.current.Load().close() }

// Asset returns the asset of the given path, of which it reads every variant
// at its first use. The error wraps [fs.ErrNotExist] for a path that is none.
func (h *Handler) Asset(path string) (Asset, error) {
	ix, release, err := h.files.acquire()
	if err != nil {
		return Asset{}, fmt.Errorf("serve: %w", err)
	}
	defer release()
	path = strings.TrimPrefix(path, "/")
	n := ix.names[path]
	if n.asset == nil || n.asset.path != path {
		return Asset{}, fmt.Errorf("serve: %s: %w", path, fs.ErrNotExist)
	}
	r, err := ix.resolve(n.asset)
	if err != nil {
		return Asset{}, fmt.Errorf("serve: %s: %w", path, err)
	}
	return r.asset, nil
}

// Assets returns every asset, sorted by path. It reads each file of the tree
// that was not used before. Assets that cannot be read are left out and told
// of by the error, all of them in one.
func (h *Handler) Assets() ([]Asset, error) {
	var all []Asset
	err := h.each(func(r *resolved) { all = append(all, r.asset) })
	return all, err
}

// Check returns every variant that is not served and why, sorted by path, and
// reads as much as [Handler.Assets].
func (h *Handler) Check() ([]Problem, error) {
	var all []Problem
	err := h.each(func(r *resolved) { all = append(all, r.problems...) })
	return all, err
}

// each resolves every asset in order.
func (h *Handler) each(do func(*resolved)) error {
	ix, release, err := h.files.acquire()
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer release()
	var faults []error
	for _, a := range ix.assets() {
		r, err := ix.resolve(a)
		if err != nil {
			faults = append(faults, fmt.Errorf("serve: %s: %w", a.path, err))
			continue
		}
		do(r)
	}
	return errors.Join(faults...)
}

// ServeHTTP answers a request. The path of the URL, without the slash in
// front, is taken for a path in the tree as it is: "//", "/./" and the like
// name nothing. Behind a prefix, use [http.StripPrefix].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.opts.Observe == nil {
		h.respond(w, r)
		return
	}
	start := time.Now()
	e := h.respond(w, r)
	if e.Status == 0 {
		return // it was Next's
	}
	e.Request, e.Duration = r, time.Since(start)
	h.opts.Observe(e)
}

// respond looks the name up and answers. The Event has everything but the
// request and the duration; its status is 0 if Next has answered.
func (h *Handler) respond(w http.ResponseWriter, r *http.Request) Event {
	ix, release, err := h.files.acquire()
	if err != nil {
		return fail(w, r, http.StatusInternalServerError, Event{Err: err})
	}
	defer release()
	name := strings.TrimPrefix(r.URL.Path, "/")
	n := ix.names[name]
	if n.dir && ix.names[name+"/"].asset != nil {
		if !isRead(r) { // elsewhere, a browser would make a GET of it
			return notAllowed(w, r, Event{})
		}
		return redirect(w, r)
	}
	if n.asset != nil {
		if e, found := h.serveAsset(w, r, ix, n.asset, http.StatusOK); found {
			return e
		}
	}
	return h.miss(w, r, ix)
}

// miss answers for a name that the tree does not have.
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
	// An asset without a source or with a page of its own could answer
	// otherwise, depending on the field.
	addVary(w.Header(), "Accept-Encoding")
	return fail(w, r, http.StatusNotFound, Event{})
}

// isRead reports whether the method is one that assets have.
func isRead(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// notAllowed answers a method that assets do not have (RFC 9110, section
// 15.5.6).
func notAllowed(w http.ResponseWriter, r *http.Request, e Event) Event {
	w.Header()["Allow"] = []string{"GET, HEAD"}
	return fail(w, r, http.StatusMethodNotAllowed, e)
}

// serveAsset answers with an asset, as itself (200) or as the page of a 404. found is false, and nothing was sent, if
// its files are gone.
func (h *Handler) serveAsset(w http.ResponseWriter, r *http.Request, ix *index, a *asset, status int) (e Event, found bool) {
	e.Asset = a.path
	if !isRead(r) {
		return notAllowed(w, r, e), true
	}
	s, err := ix.open(a, wishOf(r, w.Header()))
	switch {
	case err == nil:
		defer s.Close()
		return h.answer(w, r, &s, status), true
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
