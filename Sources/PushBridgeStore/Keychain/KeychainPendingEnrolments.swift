import Foundation
package import PushBridgeCore

/// Enrolments that wait in a keychain, each as one item.
package struct KeychainPendingEnrolments: PendingEnrolments {
    private let items: KeychainItems
    private let service: String

    /// Takes a keychain; reads nothing yet.
    /// - Parameters:
    ///   - keychain: The keychain.
    ///   - client: Tells the clients of an app apart that may have stores of their own.
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

    package func forget(_ id: String) throws {
        try items.carryOut(KeychainStep(service: service, account: id, data: nil))
    }

    /// The place in this device's keychain; `nil` where there is none that outlives the process.
    package static func ofThisDevice(_ client: String) -> (any PendingEnrolments)? {
        #if canImport(Security)
        KeychainPendingEnrolments(SystemKeychain(), of: client)
        #else
        nil
        #endif
    }
}
