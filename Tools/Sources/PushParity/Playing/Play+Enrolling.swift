import Foundation
import PingAMSimulator
import PushBridgeCore

extension Play {
    func scan(_ enrol: Step.Enrol) async throws -> [[Delivery]] {
        guard let code = try code(enrol) else { return skipped("There is no such code.") }
        codes[enrol.credential] = code
        let deliveries = await side.perform(.enrol(uri: code))
        for case .value(let value) in deliveries.map(\.outcome) {
            if case .string(let id)? = value["id"] { credentials[enrol.credential] = id }
        }
        return [deliveries]
    }

    private func code(_ enrol: Step.Enrol) throws -> String? {
        if let text = enrol.text { return text }
        if let again = enrol.again { return codes[again] }
        var order = RegistrationOrder(
            issuer: enrol.issuer ?? "Example",
            account: enrol.account ?? enrol.credential,
            realm: Realm(enrol.realm ?? "/alpha")
        )
        order.account.policies = enrol.policies
        order.account.imageURL = enrol.imageURL
        order.account.backgroundColor = enrol.backgroundColor
        order.userId = enrol.userId
        order.resourceId = enrol.resourceId
        let registration = try create(order)
        signers[enrol.credential] = registration.sharedSecret
        accounts[enrol.credential] = registration.account.key
        name(registration.messageId, as: "\(enrol.credential).code")
        return CodeEditor(registration.uri(labelIssuer: "forgerock")).edited(enrol)
    }

    private func create(_ order: RegistrationOrder) throws -> PushRegistration {
        do {
            return try world.server.createRegistration(order)
        } catch let error as SimulatorError {
            throw ParityError(code: .invalidStep, reason: error.reason)
        }
    }
}

/// Changes the parameters of a registration code, as servers of all kinds and ages write them.
struct CodeEditor {
    private var label: String
    private var parameters: [(name: String, value: String)]

    init(_ code: String) {
        let parts = code.split(separator: "?", maxSplits: 1)
        label = parts.first.map(String.init) ?? ""
        parameters = parts.dropFirst().joined().split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.dropFirst().joined())
        }
    }

    func edited(_ enrol: Step.Enrol) -> String {
        var copy = self
        if let oath = enrol.oath { copy.combine(with: oath) }
        if enrol.standardBase64 == true { copy.spellInStandardBase64() }
        for (name, value) in (enrol.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            copy.replace(name, value)
        }
        return "\(copy.label)?\(copy.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))"
    }

    /// Makes the code one of both kinds, whose one-time password has a secret of its own.
    private mutating func combine(with oath: String) {
        label = label.replacingOccurrences(of: "pushauth://push/", with: "mfauth://\(oath)/")
        replace("secret", "JBSWY3DPEHPK3PXP")
        replace("digits", "6")
        replace(oath == "hotp" ? "counter" : "period", oath == "hotp" ? "7" : "30")
    }

    private mutating func spellInStandardBase64() {
        let binary: Set = ["s", "c", "r", "a", "l", "issuer", "policies", "image", "uid", "pid"]
        parameters = parameters.map { name, value in
            guard binary.contains(name), let bytes = Base64.decode(value) else { return (name, value) }
            return (name, Self.encoded(bytes.base64EncodedString()))
        }
    }

    private mutating func replace(_ name: String, _ value: String?) {
        parameters.removeAll { $0.name == name }
        if let value { parameters.append((name, Self.encoded(value))) }
    }

    private static func encoded(_ value: String) -> String {
        var plain = CharacterSet.alphanumerics
        plain.insert(charactersIn: "-._~")
        return value.addingPercentEncoding(withAllowedCharacters: plain) ?? value
    }
}
