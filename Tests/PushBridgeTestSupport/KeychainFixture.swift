public import Foundation

/// Keychain items as literal bytes, in folders of `LegacyFixtures`.
///
/// Each folder has one subfolder for each service. Each subfolder has one file for each account.
public enum KeychainFixture: String, CaseIterable, Sendable {
    /// Items of the successor SDK 2.2.
    case successor = "successor-2.2"

    /// An item of the fixture.
    public struct Item: Sendable {
        /// The service.
        public let service: String
        /// The account.
        public let account: String
        /// The value.
        public let data: Data
    }

    /// Returns all items, sorted by service and account.
    public func items() throws -> [Item] {
        let folder = LegacyFixtures.url(rawValue)
        return try Self.names(in: folder).flatMap { service in
            let place = folder.appendingPathComponent(service)
            return try Self.names(in: place).map { account in
                let data = try Data(contentsOf: place.appendingPathComponent(account))
                return Item(service: service, account: account, data: data)
            }
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
            .sorted()
    }
}
