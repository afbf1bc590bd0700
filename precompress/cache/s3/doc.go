// Package s3 shares a cache by way of any store with the API of Amazon S3: S3 itself,
// Cloudflare R2, Google Cloud Storage, MinIO and others. Pass the store from [Open] as
// cache.Options.Remote.
package s3
