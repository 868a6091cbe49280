package import PushBridgeCore
import PushBridgePlatform

/// A store as one process sees it.
///
/// Each transaction, and each operation in a transaction, passes the `Gate`.
package final class GatedStore: CredentialStore, RecordStore {
    private let records: any RecordStore
    private let process: Process
    private let gate: Gate

    package init(_ store: any CredentialStore, _ process: Process, _ gate: Gate) {
        (records, self.process, self.gate) = (store.backing.records, process, gate)
    }

    package var backing: StoreBacking { StoreBacking(self) }
    package var changes: AsyncStream<Void> { records.changes }

    package func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try pass(.read)
        return try records.read(body)
    }

    package func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try pass(.begin)
        defer { gate.endTransaction(of: process) }
        let value = try records.write { view in
            let value = try view.collecting(admitting: admits, body)
            if gate.isDiskFull { throw Self.error(-28) }
            try pass(.commit)
            return value
        }
        try pass(.committed)
        return value
    }

    private func admits(_ verb: RecordVerb) throws -> Bool {
        switch verb {
        case .read: break
        case .put(let record): try pass(.put, record.recordKind.noun)
        case .remove(let kind): try pass(.delete, kind.noun)
        }
        return true
    }

    private func pass(_ operation: Operation, _ subject: String = "") throws {
        try gate.pass(process, operation, subject, failing: Self.error) { () throws(any Error) in }
    }

    private static func error(_ status: Int32) -> any Error {
        status == 0 ? Death() : StoreError(.full, reason: "The disk is full.")
    }
}
