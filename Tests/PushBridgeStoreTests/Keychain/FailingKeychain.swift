import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore

/// A keychain that fails at one call.
///
/// If the process ends at this call, all later calls also fail.
final class FailingKeychain: Keychain {
    enum Failure: CaseIterable, Sendable {
        /// The keychain rejects the call, as it does while the device is briefly locked.
        case refusal
        /// The process ends at this call.
        case end
    }

    private let keychain: InMemoryKeychain
    private let failure: Failure
    private let callsLeft: Lock<Int>

    init(_ keychain: InMemoryKeychain, after calls: Int, _ failure: Failure) {
        self.keychain = keychain
        self.failure = failure
        callsLeft = Lock(calls)
    }

    /// Whether the failing call was never reached.
    var isUnharmed: Bool { callsLeft.withValue { $0 >= 0 } }

    func add(_ item: KeychainItem) throws(KeychainError) {
        try count()
        try keychain.add(item)
    }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        try count()
        try keychain.update(name, data: data)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        try count()
        return try keychain.data(name)
    }

    func accounts(service: String, accessGroup: String?) throws(KeychainError) -> [String] {
        try count()
        return try keychain.accounts(service: service, accessGroup: accessGroup)
    }

    func names(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.Name] {
        try count()
        return try keychain.names(service: service, accessGroup: accessGroup)
    }

    func names(of name: KeychainItem.Name) throws(KeychainError) -> [KeychainItem.Name] {
        try count()
        return try keychain.names(of: name)
    }

    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try count()
        return try keychain.accessibility(of: name)
    }

    func update(_ item: KeychainItem) throws(KeychainError) {
        try count()
        try keychain.update(item)
    }

    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        try count()
        return try keychain.remove(name)
    }

    private func count() throws(KeychainError) {
        let left = callsLeft.withValue { left in
            left -= 1
            return left
        }
        let fails =
            switch failure {
            case .refusal: left == -1
            case .end: left < 0
            }
        guard !fails else { throw KeychainError(status: -25308) }
    }
}
