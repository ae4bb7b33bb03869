"""Taking in a folder of raw exports: what lies in it, which runs these are, and their manifests."""
