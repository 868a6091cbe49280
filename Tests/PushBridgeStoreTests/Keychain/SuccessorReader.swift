import Foundation
import PushBridgeStore

/// A reader of keychain items that behaves like the successor SDK 2.2.
///
/// The reader is based on what is known about the members of the items, and shares no code with PushBridge's store.
struct SuccessorReader {
    struct Push: Decodable, Equatable {
        let id, resourceId, issuer, displayIssuer, accountName, displayAccountName: String
        let serverEndpoint, sharedSecret, platform: String
        let createdAt: Date
        let isLocked: Bool
        let userId, imageURL, backgroundColor, policies, lockingPolicy: String?
    }

    struct Notification: Decodable, Equatable {
        let id, credentialId, messageId, pushType: String
        let ttl: Int
        let createdAt: Date
        let approved, pending: Bool
        let messageText, customPayload, challenge, numbersChallenge, loadBalancer, contextInfo: String?
        let sentAt, respondedAt: Date?
    }

    struct Token: Decodable, Equatable {
        let id, token: String
        let createdAt: Date
    }

    struct Oath: Decodable, Equatable {
        let id, issuer, displayIssuer, accountName, displayAccountName, oathType, oathAlgorithm: String
        let digits, period, counter: Int
        let createdAt: Date
        let isLocked: Bool
        let userId, resourceId, imageURL, backgroundColor, policies, lockingPolicy: String?
    }

    /// The reason why the SDK would not read an item.
    enum Fault: Error, Equatable {
        case missing(String), foreign([String]), notText
    }

    let keychain: InMemoryKeychain
    var group: String?

    func push(_ id: String) throws -> Push {
        try item(
            "com.pingidentity.push.credentials",
            id,
            "id userId resourceId issuer displayIssuer accountName displayAccountName serverEndpoint"
                + " sharedSecret createdAt imageURL backgroundColor policies lockingPolicy isLocked platform",
            .iso8601
        )
    }

    func notification(_ id: String) throws -> Notification {
        try item(
            "com.pingidentity.push.notifications",
            id,
            "id credentialId ttl messageId messageText customPayload challenge numbersChallenge loadBalancer"
                + " contextInfo pushType createdAt sentAt respondedAt approved pending",
            .iso8601
        )
    }

    func token() throws -> Token {
        try item("com.pingidentity.push.tokens", "current", "id token createdAt", .iso8601)
    }

    /// Returns the credential and its secret, which are stored in two items.
    func oath(_ id: String) throws -> (credential: Oath, secret: String) {
        let credential: Oath = try item(
            "com.pingidentity.oath",
            id,
            "id userId resourceId issuer displayIssuer accountName displayAccountName oathType oathAlgorithm"
                + " digits period counter createdAt imageURL backgroundColor policies lockingPolicy isLocked",
            .deferredToDate
        )
        let secret = try data("com.pingidentity.oath.secrets", id)
        guard let text = String(data: secret, encoding: .utf8) else { throw Fault.notText }
        return (credential, text)
    }

    /// Returns the account names of a service's items, as the SDK lists them.
    func accounts(_ service: String) throws -> [String] {
        try keychain.accounts(service: service, accessGroup: group)
    }

    private func data(_ service: String, _ account: String) throws -> Data {
        let name = KeychainItem.Name(service: service, account: account, accessGroup: group)
        guard let data = try keychain.data(name) else { throw Fault.missing("\(service) \(account)") }
        return data
    }

    /// Decodes an item.
    ///
    /// Rejects members that are neither the SDK's members nor the member that contains PushBridge's
    /// additional data.
    private func item<Value: Decodable>(
        _ service: String,
        _ account: String,
        _ known: String,
        _ dates: JSONDecoder.DateDecodingStrategy
    ) throws -> Value {
        let data = try data(service, account)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        let foreign = Set(object.keys).subtracting(
            known.split(separator: " ").map(String.init) + ["pushBridge"]
        )
        guard foreign.isEmpty else { throw Fault.foreign(foreign.sorted()) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        return try decoder.decode(Value.self, from: data)
    }
}
