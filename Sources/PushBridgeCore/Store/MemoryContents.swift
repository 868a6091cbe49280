/// What a memory store holds; a value, so that a transaction is a copy.
struct MemoryContents {
    var pushCredentials: [String: PushCredential] = [:]
    var oathCredentials: [String: OathCredential] = [:]
    var notifications: [String: PushNotification] = [:]
    var deviceToken: PushDeviceToken?
    var ledger = RecordedValues<LedgerEntry>()
    var preserved = RecordedValues<PreservedRecord>()
}

/// Values by source record, which remember the order in which they were first recorded.
struct RecordedValues<Value> {
    private var values: [RecordFingerprint: (order: Int, value: Value)] = [:]
    private var next = 0

    var inOrder: [Value] { values.values.sorted { $0.order < $1.order }.map(\.value) }

    subscript(record: RecordFingerprint) -> Value? {
        get { values[record]?.value }
        set {
            values[record] = newValue.map { (values[record]?.order ?? next, $0) }
            next += 1
        }
    }
}
