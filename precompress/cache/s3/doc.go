// Package s3 lets a cache be shared by way of any store that speaks the API of
// Amazon S3: S3 itself, Cloudflare R2, Google Cloud Storage, MinIO and others.
package s3
