// `JSONLinesStoreWriter` is in `LegacyStore`, because it uses nothing of this module; this exports it beside the
// other writers.
@_exported public import class LegacyStore.JSONLinesStoreWriter
