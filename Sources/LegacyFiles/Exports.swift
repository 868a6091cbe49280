// `JSONLinesStoreWriter` is defined in `LegacyStore`, because it does not depend on this module. It is exported with
// the other writers.
@_exported public import class LegacyStore.JSONLinesStoreWriter
