public import PushBridgeCore

/// What an export wrote, and what its shape had no place for.
public struct ExportSummary: Equatable, Sendable {
    /// How many records of each kind were written.
    public private(set) var written: [LegacyRecordKind: Int] = [:]
    /// How many records of each kind were left out.
    public private(set) var leftOut: [LegacyRecordKind: Int] = [:]
    /// The ids of what is damaged in the store itself, and so comes back nowhere.
    public internal(set) var unreadable: [String] = []

    mutating func count(_ kind: LegacyRecordKind, isWritten: Bool) {
        if isWritten {
            written[kind, default: 0] += 1
        } else {
            leftOut[kind, default: 0] += 1
        }
    }
}
