"""The lab: corpora, and questions asked about them."""
