"""The contents of a raw folder: manifests, files, their formats and hashes."""
