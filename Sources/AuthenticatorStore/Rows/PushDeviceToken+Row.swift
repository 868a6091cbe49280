import AuthenticatorCore
import Foundation

extension PushDeviceToken: StoredRow {
    static let table = Table(
        "device_token",
        noun: "device token",
        columns: ["id", "token_id", "created_at"]
    )

    /// There is one device, so there is one row.
    static let onlyRow = "this"

    var rowID: String { Self.onlyRow }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(Self.onlyRow)
        try row.write(sealing: Data(tokenId.utf8), as: "token_id")
        try row.write(createdAt)
    }

    init(from row: inout RowReader) throws(StoreError) {
        row.record = try row.text()
        let tokenId = String(decoding: try row.opened("token_id"), as: UTF8.self)
        self.init(tokenId: tokenId, createdAt: try row.date())
    }
}
