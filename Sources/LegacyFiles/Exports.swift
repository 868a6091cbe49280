// This writer is defined in `LegacyStore`. As for the other writers, an app only has to import `LegacyFiles`.
@_exported public import class LegacyStore.JSONLinesStoreWriter
