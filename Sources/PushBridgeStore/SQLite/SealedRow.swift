import Foundation
import GRDB
import PushBridgeCore

/// A record as a row of the table, in which the record's form is sealed.
struct SealedRow {
    let id: RowID
    private let owner: Data?
    private let alias: Data?
    private let date: Double
    private let isOpen: Int
    private let form: Data

    init(_ record: any StoredRecord, _ sealer: Sealer) throws {
        let (kind, index) = (record.recordKind, record.recordIndex)
        let form: [UInt8]
        do {
            form = try CompactCoder.encode(record)
        } catch {
            throw StoreError(
                .failed,
                record: index.id,
                reason: "The \(kind.noun) has a date that is not a number."
            )
        }
        id = RowID(index.id, kind, sealer)
        owner = index.owner.map { sealer.searchHash(of: $0, as: "owner") }
        alias = index.alias.map { sealer.searchHash(of: $0, as: "alias") }
        date = index.date.timeIntervalSinceReferenceDate
        // A date that is NaN is rejected, because SQLite would store it as NULL.
        guard !date.isNaN else {
            throw StoreError(
                .failed,
                record: index.id,
                reason: "The \(kind.noun) has a date that is not a number."
            )
        }
        isOpen = index.isOpen ? 1 : 0
        let place = Self.place(of: id, owner, alias, date, isOpen, in: sealer.store)
        self.form = try sealer.seal(form, for: place)
    }

    /// Reads the columns of a row; `nil` if the id, the date, the form or the open state has the wrong type.
    init?(_ row: Row, _ kind: RecordKind) {
        guard let id = RowID(row[0], kind), let date = Double.fromDatabaseValue(row[3]),
            let isOpen = Int.fromDatabaseValue(row[4]), let form = Data.fromDatabaseValue(row[5])
        else { return nil }
        self.id = id
        owner = Data.fromDatabaseValue(row[1])
        alias = Data.fromDatabaseValue(row[2])
        self.date = date
        self.isOpen = isOpen
        self.form = form
    }

    var arguments: StatementArguments {
        [id.kind.rawValue, id.databaseValue, owner, alias, date, isOpen, form]
    }

    /// Returns the decrypted form of the record; `nil` if a column was changed, or if the key is wrong.
    func opened(by sealer: Sealer) -> [UInt8]? {
        sealer.open(form, from: Self.place(of: id, owner, alias, date, isOpen, in: sealer.store))
    }

    /// Returns the data that is authenticated together with a form: the store, the kind, the id and the
    /// searched columns.
    ///
    /// If a column was changed, or if a form was copied to another row or store, the form can no longer be
    /// opened.
    private static func place(
        of id: RowID,
        _ owner: Data?,
        _ alias: Data?,
        _ date: Double,
        _ isOpen: Int,
        in store: [UInt8]
    ) -> [UInt8] {
        var place: [UInt8] = []
        place.reserveCapacity(32 + store.count + id.bytes.count + 32)
        place.append(UInt8(id.kind.rawValue))
        for part in [Data(store), owner, alias] {
            // Each part is preceded by its length. Therefore, two different places never have the same bytes.
            let length = part.map { UInt32(clamping: $0.count) } ?? .max
            withUnsafeBytes(of: length.littleEndian) { place.append(contentsOf: $0) }
            if let part { place.append(contentsOf: part) }
        }
        withUnsafeBytes(of: date.bitPattern.littleEndian) { place.append(contentsOf: $0) }
        withUnsafeBytes(of: Int64(isOpen).littleEndian) { place.append(contentsOf: $0) }
        place.append(contentsOf: id.bytes)
        return place
    }
}

/// The id of a record as a column: text or, if ``RecordKind/idIsPersonal`` is `true`, the keyed hash of the id.
struct RowID {
    let kind: RecordKind
    let bytes: [UInt8]

    /// Reads the id from its column; `nil` if the column contains neither text nor a blob.
    init?(_ value: DatabaseValue, _ kind: RecordKind) {
        self.kind = kind
        switch value.storage {
        case .string(let text): bytes = Array(text.utf8)
        case .blob(let data): bytes = Array(data)
        case .null, .int64, .double: return nil
        }
    }

    init(_ id: String, _ kind: RecordKind, _ sealer: Sealer) {
        self.kind = kind
        bytes =
            kind.idIsPersonal ? Array(sealer.searchHash(of: id, as: "id\(kind.rawValue)")) : Array(id.utf8)
    }

    /// The id as it is stored.
    ///
    /// Text with a zero byte is stored as a blob, because SQLite's functions treat the zero byte as the end of the
    /// text.
    var databaseValue: DatabaseValue {
        kind.idIsPersonal || bytes.contains(0)
            ? Data(bytes).databaseValue : String(decoding: bytes, as: UTF8.self).databaseValue
    }

    /// The id as messages show it.
    var text: String {
        kind.idIsPersonal ? Data(bytes).base64EncodedString() : String(decoding: bytes, as: UTF8.self)
    }
}
