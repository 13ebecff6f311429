"""The product's version, known without asking the installer's records."""

__version__ = "0.1.0"
