// `JSONLinesStoreWriter` is defined in `LegacyStore`, because it does not depend on the module `LegacyFiles`.
// `LegacyFiles` exports it together with the other writers.
@_exported public import class LegacyStore.JSONLinesStoreWriter
