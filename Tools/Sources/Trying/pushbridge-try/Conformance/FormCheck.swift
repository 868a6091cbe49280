import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals

/// A check of an object's form, and the function that makes the observation.
struct FormCheck<Subject>: Sendable {
    let check: ConformanceCheck
    /// Returns the observation, in the words of the check's outcomes; `nil` if the check does not apply to
    /// the object.
    let found: @Sendable (Subject) -> String?

    init(_ check: ConformanceCheck, _ found: @escaping @Sendable (Subject) -> String?) {
        self.check = check
        self.found = found
    }
}

/// The text of a registration URI.
struct CodeText {
    /// Whether the label contains the word `forgerock` in place of the issuer.
    fileprivate let isLabelledForgerock: Bool
    fileprivate let isCombined: Bool
    fileprivate let parameters: [(name: String, value: String)]

    init(_ code: String) {
        // Labels and images may contain question marks, so `?l=` and `?a=`, with which servers start the query, are
        // searched first.
        let starts = ["?l=", "?a=", "?"].compactMap { code.range(of: $0)?.lowerBound }
        let start = starts.first ?? code.endIndex
        isCombined = code.hasPrefix("mfauth:")
        isLabelledForgerock = code[..<start].contains("/forgerock:")
        parameters = code[start...].dropFirst().split(separator: "&").map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return (String(name), String(parameter.dropFirst(name.count + 1)))
        }
    }

    fileprivate func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    fileprivate func bytes(_ name: String) -> Data? { value(name).flatMap { Data(anyBase64: $0) } }

    /// The names of the parameters that not every code has, except those that depend on the code's settings.
    ///
    /// Parameters that depend on the server's version come first. If a parameter that every code must have is missing,
    /// the result names the missing parameters instead.
    fileprivate var furtherNames: String {
        let present = Set(parameters.map(\.name))
        let base: Set = ["l", "issuer", "m", "s", "c", "r", "a", "b"]
        let expected = isCombined ? base.union(["secret", "digits"]) : base
        let missing = expected.subtracting(present).sorted()
        guard missing.isEmpty else { return "lacks \(missing.joined(separator: " "))" }
        // The following parameters depend on the settings of the code.
        let further = present.subtracting(expected).subtracting([
            "counter", "period", "algorithm", "policies",
        ])
        let known = ["uid", "pid", "oid", "image"]
        let names = known.filter(further.contains) + further.subtracting(known).sorted()
        return names.isEmpty ? "none" : names.joined(separator: " ")
    }

    /// The name of the order of the code's parameters; `another` for an unknown order.
    fileprivate var order: String {
        let names = parameters.map(\.name).filter(Self.nodeOrder.contains)
        func isOrder(_ order: [String]) -> Bool { names == order.filter(names.contains) }
        if isOrder(Self.nodeOrder) { return "a node's order" }
        if isOrder(Self.moduleOrder) { return "a module's order" }
        if isOrder(["a", "uid", "image", "r", "b", "s", "c", "pid", "l", "m", "issuer"]) {
            return "a node's order in the scanned code"
        }
        if isOrder(["a", "image", "b", "r", "s", "c", "l", "m", "issuer"]) {
            return "a module's order in the scanned code"
        }
        return "another"
    }

    fileprivate static let nodeOrder = [
        "l", "issuer", "m", "s", "c", "r", "a", "uid", "pid", "b", "image",
    ]
    fileprivate static let moduleOrder = ["l", "issuer", "m", "s", "b", "c", "r", "a", "image"]
}

extension FormCheck<CodeText> {
    /// The checks of a code.
    static let all: [FormCheck<CodeText>] = [
        FormCheck(
            ConformanceCheck("the label of the code") { $0.labelsIssuer ? ["the issuer"] : ["forgerock"] }
        ) { code in
            // If the issuer itself is named `forgerock`, the label is not informative.
            let isOfThatName = code.bytes("issuer") == Data("forgerock".utf8)
            return isOfThatName ? nil : code.isLabelledForgerock ? "forgerock" : "the issuer"
        },
        parameters(isCombined: false), parameters(isCombined: true),
        FormCheck(
            ConformanceCheck("the order of the code's parameters") { candidate in
                let kind = "a \(candidate.codes)'s order"
                return [Outcome(kind), Outcome("\(kind) in the scanned code", if: .scannedOrder)]
            }
            // A page may use any order, and the order of a scanned combined code is not known. An unknown
            // order is therefore not informative.
        ) { $0.order == "another" ? nil : $0.order },
        FormCheck(
            ConformanceCheck(
                "base64 in the code",
                always: ["without padding", Outcome("padded", if: .paddedCodes)]
            )
        ) {
            code in
            guard let secret = code.value("s") else { return nil }
            return secret.hasSuffix("=") ? "padded" : "without padding"
        },
        FormCheck(ConformanceCheck("the secret of the code", always: ["32 bytes"])) {
            "\($0.bytes("s")?.count ?? 0) bytes"
        },
        FormCheck(
            ConformanceCheck(
                "the challenge of the code",
                always: ["32 bytes", Outcome("16 bytes", if: .shortChallenges)]
            )
        ) { "\($0.bytes("c")?.count ?? 0) bytes" },
        FormCheck(ConformanceCheck("the load balancer in the code", always: ["name=value"])) { code in
            code.bytes("l").map { $0.isCookiePair ? "name=value" : "another form" }
        },
        FormCheck(ConformanceCheck("the message id of the code", always: ["REGISTER:, a UUID, the time"])) {
            code in
            code.value("m").map {
                $0.isMessageId("REGISTER") ? "REGISTER:, a UUID, the time" : "another form"
            }
        },
    ]
}

extension FormCheck<CodeText> {
    private static func parameters(isCombined: Bool) -> FormCheck {
        let check = ConformanceCheck("further parameters of the \(isCombined ? "combined code" : "code")") {
            candidate in
            guard candidate.labelsIssuer || !isCombined else { return [] }
            let ids = candidate.namesUser ? ["uid", "pid"] + (isCombined ? ["oid"] : []) : []
            // If there is no image, a module omits the parameter. The behaviour of a node is not known.
            let absent = ids.isEmpty ? "none" : ids.joined(separator: " ")
            return [
                Outcome((ids + ["image"]).joined(separator: " ")),
                Outcome(absent, if: candidate.codes == .module ? nil : .absentImages),
            ]
        }
        return FormCheck(check) { $0.isCombined == isCombined ? $0.furtherNames : nil }
    }
}

/// A push from PingAM in the form that an app receives.
struct ObservedPush: Sendable {
    let messageId: String
    /// The number on the login page; `nil` if the source of the push does not contain the number.
    let number: Int?
    let token: String
    fileprivate let aps: [String: JSONValue]
    fileprivate let header: JSONValue?
    let claims: [String: JSONValue]
    /// The claims as text, exactly as the server wrote them.
    fileprivate let text: String

    /// Parses a payload, an `.apns` file for Apple's device simulator, or the response of `pushbridge
    /// simulate` to a request for a push.
    ///
    /// Returns `nil` for pushes that are not from PingAM.
    init?(_ document: Data) {
        guard let json = JSONValue(json: document) else { return nil }
        let written = json["payloadText"]?.plainText.flatMap { JSONValue(json: Data($0.utf8)) }
        guard case .object(let aps)? = (written ?? json["payload"] ?? json)["aps"],
            let token = aps["data"]?.plainText, let messageId = aps["messageId"]?.plainText
        else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map {
            Data(anyBase64: String($0))
        }
        guard parts.count == 3, let bytes = parts[1], case .object(let claims)? = JSONValue(json: bytes)
        else {
            return nil
        }
        if case .integer(let number)? = json["number"] { self.number = number } else { number = nil }
        (self.aps, self.token, self.messageId, self.claims) = (aps, token, messageId, claims)
        header = parts[0].flatMap(JSONValue.init(json:))
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the push has a type.
    ///
    /// If a server's pushes have no type, the server sends only pushes to approve or deny.
    var isTyped: Bool { claims["k"] != nil }
    var type: PushType { claims["k"]?.plainText.flatMap { PushType(rawValue: $0) } ?? .default }
    var mechanismUid: String? { claims["u"]?.plainText }
    var loadBalancer: String? {
        claims["l"]?.plainText.flatMap { Data(anyBase64: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    /// The numbers of a challenge.
    var numbers: [Int] { (claims["n"]?.plainText ?? "").split(separator: ",").compactMap { Int($0) } }

    /// The names of the claims, in the order of the token.
    fileprivate var names: [String] {
        let places = claims.keys.compactMap { name in
            text.range(of: "\"\(name)\":").map { (name, $0.lowerBound) }
        }
        return places.sorted { $0.1 < $1.1 }.map(\.0)
    }
    fileprivate static let order = ["u", "l", "c", "m", "k", "i", "t", "d", "p", "x", "n"]
}

extension FormCheck<ObservedPush> {
    /// The checks of a push.
    static let all: [FormCheck<ObservedPush>] = [
        FormCheck(
            ConformanceCheck("the newer members of the push") { candidate in
                if candidate.version < .v7_2 { return ["none"] }
                let names = "category interruption-level"
                return [Outcome(candidate.version < .v7_3 ? names : "\(names) mutable-content")]
            }
        ) { push in
            let first: Set = ["alert", "content-available", "data", "messageId", "sound"]
            let newer = Set(push.aps.keys).subtracting(first).sorted()
            return newer.isEmpty ? "none" : newer.joined(separator: " ")
        },
        FormCheck(
            ConformanceCheck("content-available of the push") { $0.version < .v7_3 ? [#""1""#] : ["1"] }
        ) { $0.aps["content-available"]?.text ?? "absent" },
        category(of: nil), category(of: .default), category(of: .challenge), category(of: .biometric),
        FormCheck(ConformanceCheck("the sound of the push", always: ["default"])) {
            $0.aps["sound"]?.plainText ?? "absent"
        },
        FormCheck(ConformanceCheck("the message id of the push", always: ["AUTHENTICATE:, a UUID, the time"]))
        {
            push in
            push.messageId.isMessageId("AUTHENTICATE") ? "AUTHENTICATE:, a UUID, the time" : "another form"
        },
        FormCheck(
            ConformanceCheck(
                "the header of the token",
                always: ["HS256, JWT", Outcome("HS256", if: .untypedTokens)]
            )
        ) { push in
            ["alg", "typ"].compactMap { push.header?[$0]?.plainText }.joined(separator: ", ")
        },
        FormCheck(
            ConformanceCheck("the claims of the push") { candidate in
                var names: Set = ["u", "l", "c", "t"]
                if candidate.hasRichPushes { names.formUnion(["m", "k", "p"]) }
                if candidate.version >= .v7_2 { names.insert("i") }
                if candidate.hasRichPushes, candidate.version.takesNewTokens { names.insert("d") }
                return [Outcome(ObservedPush.order.filter(names.contains).joined(separator: " "))]
            }
            // The claims `x` and `n` are not compared, because only some pushes have a context or numbers.
        ) { push in
            let names = Set(push.claims.keys).subtracting(["x", "n"])
            let unknown = names.subtracting(ObservedPush.order).sorted()
            return (ObservedPush.order.filter(names.contains) + unknown).joined(separator: " ")
        },
        FormCheck(
            ConformanceCheck(
                "the order of the claims",
                always: ["the server's", Outcome("by name", if: .sortedClaims)]
            )
        ) { push in
            let names = push.names
            if names == ObservedPush.order.filter(names.contains) { return "the server's" }
            return names == names.sorted() ? "by name" : "another"
        },
        FormCheck(ConformanceCheck("the values of the claims", always: ["all text"])) { push in
            push.claims.values.allSatisfy { $0.plainText != nil } ? "all text" : "not all text"
        },
        FormCheck(
            ConformanceCheck(
                "the challenge of the push",
                always: [
                    "32 bytes, base64 with padding",
                    Outcome("16 bytes, base64 with padding", if: .shortChallenges),
                ]
            )
        ) { $0.claims["c"]?.plainText?.standardBase64 ?? "absent" },
        FormCheck(
            ConformanceCheck("the load balancer in the push", always: ["name=value, base64 with padding"])
        ) { push in
            guard let text = push.claims["l"]?.plainText else { return "absent" }
            let isPair = Data(anyBase64: text)?.isCookiePair ?? false
            return isPair && text.standardBase64 != nil ? "name=value, base64 with padding" : "another form"
        },
        FormCheck(ConformanceCheck("the time to live of the push", always: ["digits"])) { push in
            (push.claims["t"]?.plainText).flatMap(Int.init) == nil ? "another form" : "digits"
        },
        FormCheck(ConformanceCheck("the text of the push", always: ["the same in both places"])) { push in
            push.claims["m"].map { $0 == push.aps["alert"] ? "the same in both places" : "two texts" }
        },
        FormCheck(
            ConformanceCheck(
                "an empty custom payload",
                always: [
                    "an object with two spaces", Outcome("an object without spaces", if: .compactNothing),
                ]
            )
        ) { push in
            switch push.claims["p"]?.plainText {
            case "{  }": "an object with two spaces"
            case "{}": "an object without spaces"
            default: nil
            }
        },
        FormCheck(
            // From 7.3 on, the numbers differ from each other.
            ConformanceCheck("the numbers of a challenge") { candidate in
                candidate.version == .v7_2
                    ? ["three, ascending", "three, one repeated"] : ["three, ascending"]
            }
        ) { push in
            guard push.claims["n"] != nil else { return nil }
            let numbers = push.numbers
            guard numbers.count == 3, numbers == numbers.sorted(), numbers.allSatisfy((10...99).contains)
            else {
                return "others"
            }
            return Set(numbers).count == 3 ? "three, ascending" : "three, one repeated"
        },
    ]
}

extension FormCheck<ObservedPush> {
    /// Returns the check of the category that pushes of this type have; `nil` means pushes without a type.
    private static func category(of type: PushType?) -> FormCheck {
        let name = type.map { "a \($0.rawValue) push" } ?? "a push without a type"
        let check = ConformanceCheck("the category of \(name)") { candidate in
            guard candidate.hasRichPushes == (type != nil) else { return [] }
            guard candidate.version >= .v7_2 else { return ["absent"] }
            guard let type, type != .default, candidate.version >= .v7_3 else { return ["authentication"] }
            return [Outcome("authentication_\(type.rawValue)")]
        }
        return FormCheck(check) { push in
            guard push.claims["k"]?.plainText == type?.rawValue else { return nil }
            return push.aps["category"]?.plainText ?? "absent"
        }
    }
}

extension Data {
    /// Whether the bytes are a cookie as in a header: a name, `=` and a value.
    fileprivate var isCookiePair: Bool {
        let parts = String(decoding: self, as: UTF8.self).split(separator: "=", maxSplits: 1)
        return parts.count == 2
    }
}

extension String {
    /// The length of the decoded bytes, in words; `nil` if the text is not standard base64 with padding.
    fileprivate var standardBase64: String? {
        guard let bytes = Data(base64Encoded: self), bytes.base64EncodedString() == self else { return nil }
        return "\(bytes.count) bytes, base64 with padding"
    }

    /// Returns whether the text consists of a kind, a colon, a UUID and, directly after the UUID, the time in
    /// milliseconds.
    fileprivate func isMessageId(_ kind: String) -> Bool {
        guard hasPrefix("\(kind):") else { return false }
        let rest = dropFirst(kind.count + 1)
        return UUID(uuidString: String(rest.prefix(36))) != nil && rest.dropFirst(36).count >= 13
            && rest.dropFirst(36).allSatisfy { $0.isASCII && $0.isNumber }
    }
}
