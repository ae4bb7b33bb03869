"""What lies in a raw folder: manifests, files, their formats and hashes."""
