import Foundation
package import PushBridgeCore

/// The pending enrolments of all storages and of both APIs, each in one keychain item.
package struct KeychainPendingEnrolments: PendingEnrolments {
    private let items: KeychainItems
    private static let service = "\(KeychainServices().credentials).pending"

    /// Creates the storage in a keychain; reads nothing yet.
    /// - Parameter keychain: The keychain.
    package init(_ keychain: any Keychain) {
        items = KeychainItems(keychain: keychain, accessGroup: nil, accessibility: .afterFirstUnlock)
    }

    package func keep(_ enrolment: PendingEnrolment) throws {
        let data = try JSONEncoder().encode(enrolment)
        try items.perform(KeychainStep(service: Self.service, account: enrolment.id, data: data))
    }

    package func waiting() throws -> [PendingEnrolment] {
        try items.all(of: Self.service).compactMap { Self.enrolment($0.data) }
    }

    /// Returns an enrolment as it is stored now; `nil` if it is no longer stored.
    ///
    /// If the item of the enrolment cannot be read, the enrolment is still pending, and the result is `enrolment`.
    package func current(_ enrolment: PendingEnrolment) throws -> PendingEnrolment? {
        guard let data = try items.item(enrolment.id, of: Self.service) else { return nil }
        return Self.enrolment(data) ?? enrolment
    }

    private static func enrolment(_ data: Result<Data, StoreError>) -> PendingEnrolment? {
        guard case .success(let data) = data else { return nil }
        do {
            return try JSONDecoder().decode(PendingEnrolment.self, from: data)
        } catch {
            return nil
        }
    }

    package func forget(_ id: String) throws {
        try items.perform(KeychainStep(service: Self.service, account: id, data: nil))
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
