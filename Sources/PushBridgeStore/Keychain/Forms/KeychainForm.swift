import Foundation
import PushBridgeCore

/// A value as its keychain item spells it.
protocol KeychainForm: Codable {
    associatedtype Value

    /// What the value is called in errors.
    static var noun: String { get }
    /// The service under which the values of this kind are kept.
    static func service(in services: KeychainServices) -> String

    init(_ value: Value)
    /// The value; `nil` if the members make none, or one that does not belong under `account`.
    func value(under account: String) -> Value?
}

extension KeychainForm {
    /// Reads an item's data.
    static func value(_ data: Data, account: String) throws(StoreError) -> Value {
        let form: Self?
        do {
            form = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            form = nil
        }
        guard let value = form?.value(under: account) else {
            throw StoreError(.damaged, record: account, reason: "A \(noun) in the keychain makes no sense.")
        }
        return value
    }

    /// The step that stores a value; the same value always has the same bytes.
    static func step(
        storing value: Value,
        account: String,
        services: KeychainServices
    ) throws(StoreError) -> KeychainStep {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(Self(value))
            return KeychainStep(service: service(in: services), account: account, data: data)
        } catch {
            throw StoreError(.failed, record: account, reason: "A time for a \(noun) is not a number.")
        }
    }
}
