import Dispatch
import Foundation
import PushBridgeCore
import PushBridgePlatform

/// A record as it stands in the table.
struct SealedRow: Sendable {
    let id: RowID
    let owner: [UInt8]?
    let alias: [UInt8]?
    let date: Double
    let isOpen: Bool
    let form: Data

    init(_ record: any StoredRecord, _ sealer: Sealer) throws {
        let (kind, index) = (record.recordKind, record.recordIndex)
        let form: [UInt8]
        do {
            form = try CompactCoder.encode(record)
        } catch {
            throw StoreError(.failed, record: index.id, reason: "A time for a \(kind.noun) is not a number.")
        }
        id = RowID(index.id, kind, sealer)
        owner = index.owner.map { sealer.searchHash(of: $0, as: "owner") }
        alias = index.alias.map { sealer.searchHash(of: $0, as: "alias") }
        date = index.date.timeIntervalSinceReferenceDate
        isOpen = index.isOpen
        let columns = RowColumns(owner: owner, alias: alias, date: date, isOpen: isOpen ? 1 : 0)
        self.form = try sealer.seal(form, for: columns.place(of: id, in: sealer.store))
    }
}

/// Rows that another thread codes, hashes and seals while the caller goes on: without, a migration of many records takes
/// 1.2 times as long on two cores.
final class RowGroup: Sendable {
    /// How many records make a group: enough that handing them over costs little beside sealing them.
    static let size = 64
    private static let queue = DispatchQueue(label: "RowGroup")

    private let sealed = Lock<Result<[SealedRow], any Error>>(.success([]))
    private let work = DispatchGroup()

    init(_ records: [any StoredRecord], _ sealer: Sealer) {
        Self.queue.async(group: work) { [sealed] in
            let rows = Result { try records.map { try SealedRow($0, sealer) } }
            sealed.withValue { $0 = rows }
        }
    }

    /// Waits for the rows, which are in the order of the records.
    /// - Throws: Why one of them could not be made, at every call.
    func rows() throws -> [SealedRow] {
        work.wait()
        return try sealed.withValue { $0 }.get()
    }
}

/// The columns that are searched, as they stand in the table.
struct RowColumns {
    let owner: [UInt8]?
    let alias: [UInt8]?
    let date: Double
    let isOpen: Int

    /// What a record is sealed for: its store, its kind and id, and these columns.
    ///
    /// So no column, row or store can be exchanged.
    func place(of id: RowID, in store: [UInt8]) -> [UInt8] {
        var place: [UInt8] = []
        place.reserveCapacity(32 + store.count + id.bytes.count + 32)
        place.append(UInt8(id.kind.rawValue))
        for part in [store, owner, alias] {
            // A length before each part, so that no two places are written alike.
            let length = part.map { UInt32(clamping: $0.count) } ?? .max
            withUnsafeBytes(of: length.littleEndian) { place.append(contentsOf: $0) }
            place.append(contentsOf: part ?? [])
        }
        withUnsafeBytes(of: date.bitPattern.littleEndian) { place.append(contentsOf: $0) }
        withUnsafeBytes(of: Int64(isOpen).littleEndian) { place.append(contentsOf: $0) }
        place.append(contentsOf: id.bytes)
        return place
    }
}

/// The id of a record as it stands in its column: text, or, of a kind whose ids name persons, its keyed hash.
struct RowID {
    let kind: RecordKind
    let bytes: [UInt8]

    init(stored bytes: [UInt8], _ kind: RecordKind) {
        self.kind = kind
        self.bytes = bytes
    }

    init(_ id: String, _ kind: RecordKind, _ sealer: Sealer) {
        let bytes = kind.idIsPersonal ? sealer.searchHash(of: id, as: "id\(kind.rawValue)") : Array(id.utf8)
        self.init(stored: bytes, kind)
    }

    /// The id in messages.
    var text: String {
        kind.idIsPersonal ? Data(bytes).base64EncodedString() : String(decoding: bytes, as: UTF8.self)
    }
}
