import Foundation

extension JSONDecoder {
    /// Tells the decoder that what it reads lay in a migration export.
    func expectMigrationExport() {
        guard let key = CodingUserInfoKey.isExported else { return }
        userInfo[key] = true
    }
}

extension Decoder {
    /// Whether the record lay in a migration export.
    var readsMigrationExport: Bool {
        CodingUserInfoKey.isExported.map { userInfo[$0] != nil } ?? false
    }
}

extension CodingUserInfoKey {
    fileprivate static let isExported = CodingUserInfoKey(rawValue: "isExported")
}
