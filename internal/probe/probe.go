package probe

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Run probes all targets and returns a result for each, sorted by URL. When the context
// ends, it returns the complete results and the context's error. Any other error is about
// the options.
func Run(ctx context.Context, targets []Target, opts Options) ([]*Result, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	targets = slices.Clone(targets)
	slices.SortStableFunc(targets, func(a, b Target) int { return strings.Compare(withoutUser(a.URL), withoutUser(b.URL)) })
	pending := make([]chan *Result, len(targets))
	for i := range pending {
		pending[i] = make(chan *Result, 1)
	}
	go probeAll(ctx, targets, newClient(opts), pending)
	var results []*Result
	for _, result := range pending {
		r := <-result
		if r == nil {
			continue
		}
		results = append(results, r)
		if opts.Observe != nil {
			opts.Observe(r)
		}
	}
	return results, ctx.Err()
}

// probeAll sends the result of each target, nil if the context ended before it was
// complete.
func probeAll(ctx context.Context, targets []Target, c *client, results []chan *Result) {
	var group errgroup.Group
	group.SetLimit(c.opts.Jobs) // each URL has one request at a time
	for i, t := range targets {
		group.Go(func() error {
			if ctx.Err() != nil {
				results[i] <- nil
				return nil
			}
			r := newURLProbe(c, t).run(ctx)
			if ctx.Err() != nil {
				r = nil
			}
			results[i] <- r
			return nil
		})
	}
}

// run probes the URL step by step: a step needs the answers of those before it.
func (p *urlProbe) run(ctx context.Context) *Result {
	steps := []func(context.Context) error{
		p.negotiate, p.heads, p.unlessChanging(p.conditions), p.unlessChanging(p.dates), p.unlessChanging(p.ranges), p.dictionaries,
	}
	for _, step := range steps {
		before := maps.Clone(p.done)
		if err := step(ctx); err != nil {
			p.done = before // the step has not made its checks in full
			if err != errStop {
				p.result.Err = err
			}
			break
		}
	}
	p.checkConnections()
	return p.finish()
}

// unlessChanging skips a step that compares content if the content changes with each
// request.
func (p *urlProbe) unlessChanging(step func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if p.changing {
			return nil
		}
		return step(ctx)
	}
}

// negotiate requests the whole content with each Accept-Encoding.
func (p *urlProbe) negotiate(ctx context.Context) error {
	first, err := p.followRedirects(ctx)
	if err != nil {
		return err
	}
	p.checked(status)
	if first.Status == http.StatusNotFound || first.Status == http.StatusGone {
		p.add(statusCheck(first.Status), "", first, "the answer is %d", first.Status)
		return errStop
	}
	all := []*Answer{first}
	for _, n := range negotiations {
		a, err := p.ask(ctx, get(n.accept))
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	p.checkStatus(all)
	if len(p.full) == 0 {
		return errStop
	}
	if err := p.checkChanging(ctx); err != nil {
		return err
	}
	p.checkWhole()
	return nil
}

// checkWhole makes the checks of whole answers.
func (p *urlProbe) checkWhole() {
	p.checkNames()
	p.checkAcceptable()
	p.checkLengths()
	p.checkContent()
	p.checkVariants()
	p.checkCompressed()
	p.checkChoice()
	p.checkTypes()
	p.checkVary()
	p.checkETags()
	p.checkCacheControl()
	p.checkDates()
	p.checkUse(p.full)
}
