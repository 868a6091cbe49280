// One import is enough for a legacy call site: it never imported FRCore for the types it gets from there.
@_exported public import FRCore
