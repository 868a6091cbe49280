public import CredentialMigration
import Foundation

/// A phone with the legacy SDK's records, among them two push credentials, three one-time-password credentials, four
/// notifications and a device token.
public enum LegacyPhone {
    /// The services of the legacy SDK's items.
    public static let services = LegacyService.allCases.map(\.rawValue)

    /// Returns the phone's keychain, which contains the items of a fixture.
    /// - Returns: A new keychain in memory.
    /// - Throws: An error if the fixture cannot be read.
    public static func keychain() throws -> InMemoryKeychain {
        let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
        let lines = try String(
            contentsOf: repository.appendingPathComponent("LegacyFixtures/everyday.jsonl"),
            encoding: .utf8
        )
        let keychain = InMemoryKeychain()
        for line in lines.split(separator: "\n") {
            let item = try JSONDecoder().decode(Item.self, from: Data(line.utf8))
            try keychain.add(KeychainItem(.init(service: item.svce, account: item.acct), data: item.data))
        }
        return keychain
    }

    /// Returns the keys of the legacy SDK's items that are still in the keychain.
    /// - Parameter keychain: The phone's keychain.
    /// - Returns: The keys, which the keychain calls accounts.
    /// - Throws: The errors of the keychain.
    public static func items(_ keychain: InMemoryKeychain) throws -> [String] {
        try services.flatMap { try keychain.accounts(service: $0, accessGroup: nil) }
    }

    private struct Item: Decodable {
        let svce, acct: String
        let data: Data
    }
}
