import Foundation
import PushBridgeCore

extension PushDeviceToken: StoredRow {
    static let table = Table(
        "device_token",
        noun: "device token",
        columns: ["id", "token_id", "created_at", "unconfirmed"]
    )

    /// There is one device, so there is one row.
    static let onlyRow = "this"

    var rowID: String { Self.onlyRow }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(Self.onlyRow)
        try row.write(sealing: Data(tokenId.utf8), as: "token_id")
        try row.write(createdAt)
        try row.write(unconfirmedText)
    }

    init(from row: inout RowReader) throws(StoreError) {
        row.record = try row.text()
        let tokenId = String(decoding: try row.opened("token_id"), as: UTF8.self)
        self.init(tokenId: tokenId, createdAt: try row.date())
        unconfirmedCredentialIds = try row.present(Self.ids(in: row.optionalText()))
    }

    /// The ids as a JSON list, because an id may hold any character; `NULL` if there are none.
    private var unconfirmedText: String? {
        guard !unconfirmedCredentialIds.isEmpty else { return nil }
        return JSONValue.array(unconfirmedCredentialIds.sorted().map(JSONValue.string)).text
    }

    private static func ids(in text: String?) -> Set<String>? {
        guard let text else { return [] }
        guard case .array(let elements)? = JSONValue(json: Data(text.utf8)) else { return nil }
        let ids = elements.compactMap { if case .string(let id) = $0 { id } else { nil } }
        return ids.count == elements.count ? Set(ids) : nil
    }
}
