import Foundation
package import PushBridgeCore

/// Pending enrolments in a keychain, one item each.
package struct KeychainPendingEnrolments: PendingEnrolments {
    private let items: KeychainItems
    private let service: String

    /// Uses a keychain; reads nothing yet.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - client: Identifies the client, because the clients of an app may use separate stores.
    package init(_ keychain: any Keychain, of client: String) {
        items = KeychainItems(keychain: keychain, accessGroup: nil, accessibility: .afterFirstUnlock)
        service = "\(KeychainServices().credentials).pending.\(client)"
    }

    package func keep(_ enrolment: PendingEnrolment) throws {
        let data = try JSONEncoder().encode(enrolment)
        try items.carryOut(KeychainStep(service: service, account: enrolment.id, data: data))
    }

    package func waiting() throws -> [PendingEnrolment] {
        try items.all(of: service).compactMap { item in
            guard case .success(let data) = item.data else { return nil }
            do {
                return try JSONDecoder().decode(PendingEnrolment.self, from: data)
            } catch {
                return nil
            }
        }
    }

    /// An item that can no longer be decrypted waits too: the process that kept the enrolment still has it in memory.
    package func isWaiting(_ id: String) throws -> Bool { try items.item(id, of: service) != nil }

    package func forget(_ id: String) throws {
        try items.carryOut(KeychainStep(service: service, account: id, data: nil))
    }

    /// Pending enrolments in this device's keychain; `nil` on systems without one.
    package static func ofThisDevice(_ client: String) -> (any PendingEnrolments)? {
        #if canImport(Security)
        KeychainPendingEnrolments(SystemKeychain(), of: client)
        #else
        nil
        #endif
    }
}
