import Foundation
import PingAMSimulator
@_spi(PushBridgeTools) import PushBridgeCore

/// A version of PingAM, with what makes its codes and what sends its pushes.
struct Candidate: Hashable {
    let version: ServerVersion
    let codes: PushSender
    let pushes: PushSender

    /// Every combination that there is: before 7.1, only modules made codes.
    static let all = Set(
        ServerVersion.allCases.flatMap { version in
            PushSender.allCases.flatMap { codes in
                PushSender.allCases.map { Candidate(version: version, codes: codes, pushes: $0) }
            }
        }
        .filter { $0.codes == .module || $0.version >= .v7_1 }
    )
}

/// What the text of a registration code tells of what wrote it.
struct CodeEvidence: CustomStringConvertible {
    private let labelsIssuer: Bool
    private let isCombined: Bool
    private let names: [Substring]

    init(_ code: String) {
        let parts = code.split(separator: "?", maxSplits: 1)
        labelsIssuer = !parts[0].contains("/forgerock:")
        isCombined = code.hasPrefix("mfauth:")
        names = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { $0.prefix { $0 != "=" } }
    }

    func suits(_ candidate: Candidate) -> Bool {
        let isModule = candidate.codes == .module
        let (isNewNode, namesUser) = (
            !isModule && candidate.version >= .v7_3, !isModule && candidate.version.takesNewTokens
        )
        // An image may be missing in codes of a module only; policies, if there are any, come with a combined code.
        var expected: Set<Substring> = ["l", "issuer", "m", "s", "c", "r", "a", "b", "image"]
        if namesUser { expected.formUnion(["uid", "pid"]) }
        guard isCombined else {
            let isExpected = Set(names) == expected || isModule && Set(names + ["image"]) == expected
            return isExpected && labelsIssuer == isNewNode && colourComesFirst == isModule
        }
        let own = Set(names).subtracting(Self.oneTimeNames)
        return isNewNode && own == expected && names.contains("oid") == namesUser
    }

    /// Modules write the colour before the address, nodes behind it, and so do pages that are scanned.
    private var colourComesFirst: Bool {
        names.firstIndex(of: "b") ?? names.endIndex < names.firstIndex(of: "r") ?? names.endIndex
    }

    private static let oneTimeNames: Set<Substring> = [
        "secret", "counter", "period", "digits", "algorithm", "oid", "policies",
    ]

    var description: String {
        let label = labelsIssuer ? "labels the issuer" : "labels forgerock"
        return "\(label): \(names.joined(separator: " "))"
    }
}

/// What a push tells of what sent it.
struct PushEvidence: CustomStringConvertible {
    private let aps: [String: JSONValue]
    private let claims: [String: JSONValue]

    /// Reads a payload, also one in a file for Apple's device simulator; `nil` if it is no push of PingAM.
    init?(_ payload: Data) {
        guard case .object(let aps)? = JSONValue(json: payload)?["aps"],
            case .string(let token)? = aps["data"],
            let part = token.split(separator: ".").dropFirst().first,
            let bytes = Data(anyBase64: String(part)),
            case .object(let claims)? = JSONValue(json: bytes)
        else { return nil }
        self.aps = aps
        self.claims = claims
    }

    func suits(_ candidate: Candidate) -> Bool {
        let version = candidate.version
        let isRich = candidate.pushes == .node && version >= .v7_2
        return has("category") == (version >= .v7_2) && has("interruption-level") == (version >= .v7_2)
            && (aps["content-available"] == "1") == (version < .v7_3)
            && has("mutable-content") == (version >= .v7_3)
            && ["m", "k", "p"].allSatisfy { (claims[$0] != nil) == isRich }
            && (claims["i"] != nil) == (version >= .v7_2)
            && (claims["d"] != nil) == (isRich && version.takesNewTokens)
            && category(candidate) == aps["category"]
    }

    private func has(_ name: String) -> Bool { aps[name] != nil }

    private func category(_ candidate: Candidate) -> JSONValue? {
        guard candidate.version >= .v7_2 else { return nil }
        let isTyped = candidate.pushes == .node && candidate.version >= .v7_3
        guard isTyped, case .string(let type)? = claims["k"], type != "default" else {
            return "authentication"
        }
        return .string("authentication_\(type)")
    }

    var description: String {
        let order = ["u", "l", "c", "m", "k", "i", "t", "d", "p", "x", "n"]
        let members = aps.keys.sorted().joined(separator: " ")
        return "aps \(members); claims \(order.filter { claims[$0] != nil }.joined(separator: " "))"
    }
}
