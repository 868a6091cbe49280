// The one writer of files that needs nothing of this module, beside the others.
@_exported public import class LegacyStore.JSONLinesStoreWriter
