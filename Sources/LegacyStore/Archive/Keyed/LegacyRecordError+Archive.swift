extension LegacyRecordError {
    /// The bytes cannot be read, or a required field is missing.
    static func damaged(_ reason: String) -> LegacyRecordError { .init(.damaged, reason: reason) }
}

/// Calls `body`, and says of whatever it cannot read that the record is damaged.
func decoding<Value>(
    _ body: () throws(PropertyListError) -> Value
) throws(LegacyRecordError) -> Value {
    do {
        return try body()
    } catch {
        throw .damaged(error.reason)
    }
}
