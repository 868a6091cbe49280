import Foundation
package import PushBridgeCore

/// The pending enrolments of all storages and of both APIs, each in one keychain item.
package struct KeychainPendingEnrolments: PendingEnrolments {
    private let items: KeychainItems
    private static let service = "\(KeychainServices().credentials).pending"
    /// The current service, and the services of earlier versions for each API.
    private static let services = [service, "\(service).legacy", "\(service).async"]

    /// Creates the storage in a keychain; reads nothing yet.
    /// - Parameter keychain: The keychain.
    package init(_ keychain: any Keychain) {
        items = KeychainItems(keychain: keychain, accessGroup: nil, accessibility: .afterFirstUnlock)
    }

    package func keep(_ enrolment: PendingEnrolment) throws {
        let data = try JSONEncoder().encode(enrolment)
        try items.carryOut(KeychainStep(service: Self.service, account: enrolment.id, data: data))
    }

    package func waiting() throws -> [PendingEnrolment] {
        try Self.services.flatMap { try items.all(of: $0) }.compactMap { item in
            guard case .success(let data) = item.data else { return nil }
            do {
                return try JSONDecoder().decode(PendingEnrolment.self, from: data)
            } catch {
                return nil
            }
        }
    }

    /// An item that can no longer be decrypted counts as well, because the process that stored the item still
    /// has the enrolment in memory.
    package func isWaiting(_ id: String) throws -> Bool {
        try Self.services.contains { try items.item(id, of: $0) != nil }
    }

    package func forget(_ id: String) throws {
        for service in Self.services where try items.item(id, of: service) != nil {
            try items.carryOut(KeychainStep(service: service, account: id, data: nil))
        }
    }

    /// Returns the pending enrolments in this device's keychain; `nil` on systems without a keychain.
    package static func ofThisDevice() -> (any PendingEnrolments)? {
        #if canImport(Security)
        KeychainPendingEnrolments(SystemKeychain())
        #else
        nil
        #endif
    }
}
