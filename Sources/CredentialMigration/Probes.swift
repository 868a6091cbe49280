import Foundation
import PushBridgeCore

/// The response of a legacy push mechanism to a random challenge.
///
/// The response is computed from the source record according to the legacy SDK's rules.
struct PushProbe: Sendable {
    private let challenge: Data
    /// The response, and the token that contains the response; `nil` if the secret cannot sign.
    private let answer: (response: String, token: String)?
    /// The text of the secret, if the secret cannot sign and the source is a store of the successor SDK;
    /// otherwise `nil`.
    private let keptSecret: SharedSecret?
    private let endpoints: PushEndpoints?
    private let hasServerOnly: Bool

    init(_ mechanism: LegacyMechanism, _ parameters: LegacyPushParameters) {
        let challenge = SharedSecret.random(count: 32).withUnsafeBytes { Data($0) }
        self.challenge = challenge
        answer = mechanism.secret.withUTF8(LegacyRules.authenticator).map { authenticator in
            let response = LegacyRules.response(challenge: challenge, authenticator)
            return (response, LegacyRules.token(claims: Self.claims(response), authenticator))
        }
        keptSecret = answer == nil && parameters.server != nil ? mechanism.secret : nil
        endpoints = parameters.endpoints
        hasServerOnly = parameters.registration == nil
    }

    /// Compares the stored credential with this probe: the addresses, and the response and token that
    /// `PushBridgeCore` computes for the credential.
    ///
    /// A secret that cannot sign must have been kept unchanged.
    func proof(of stored: PushCredential) -> Proof {
        guard let endpoints else { return .different(.invalidAddresses) }
        let hasEndpoints = Proof(
            stored.covers(endpoints, comparingServerOnly: hasServerOnly),
            else: .talksElsewhere
        )
        if let keptSecret {
            let isKept = stored.secretSpelling == keptSecret && !stored.sharedSecret.isUsable
            return isKept ? hasEndpoints : .different(.keepsOtherSecret)
        }
        guard let answer else { return .different(.cannotSign) }
        let response = ChallengeResponse.compute(challenge: challenge, secret: stored.sharedSecret)
        guard response == answer.response else {
            return .different(.answersOtherwise)
        }
        let token = stored.sharedSecret.signedToken(claims: Data(Self.claims(response).utf8))
        guard token == answer.token else { return .different(.signsOtherwise) }
        return hasEndpoints
    }

    private static func claims(_ response: String) -> String { #"{"response":"\#(response)"}"# }
}

/// The one-time passwords of a legacy mechanism: for three times (TOTP), or for the mechanism's counter and the
/// next counter (HOTP).
///
/// The one-time passwords are computed from the source record according to the legacy SDK's rules.
///
/// If a one-time password cannot be computed, both this probe and the stored credential must have no value for it.
struct OathProbe: Sendable {
    private let movingFactor: OathMovingFactor?
    private let codes: [String?]

    init(_ mechanism: LegacyMechanism) {
        switch mechanism.factor {
        case .push:
            (movingFactor, codes) = (nil, [])
        case .totp(let parameters, let period):
            movingFactor = period > 0 ? .time(period: period) : nil
            let counters = period > 0 ? Self.times.map { $0 / period } : []
            codes = Self.codes(mechanism, parameters, counters)
        case .hotp(let parameters, let counter):
            movingFactor = .counter(counter)
            codes = Self.codes(mechanism, parameters, Self.counters(from: counter))
        }
    }

    /// Compares the one-time passwords that `PushBridgeCore` computes for the stored credential with those of this
    /// probe.
    ///
    /// The stored credential must have the same type, and its counter must not be lower.
    func proof(of stored: OathCredential) -> Proof {
        switch (movingFactor, stored.movingFactor) {
        case (.time, .time(let period)):
            let times = Self.times.map { Date(timeIntervalSince1970: TimeInterval($0)) }
            return proof(times.map { time in code { try stored.password.code(at: time, period: period) } })
        case (.counter(let counter), .counter(let storedCounter)):
            guard storedCounter >= counter else { return .different(.counterBehind) }
            return proof(
                Self.counters(from: counter).map { counter in
                    code { try stored.password.code(counter: counter) }
                }
            )
        case (nil, _):
            return .different(.makesNoCodes)
        default:
            return .different(.otherType)
        }
    }

    /// Three dates that are far apart, in seconds since 1970.
    private static let times = [59, 1_700_000_015, 20_000_000_000]

    private static func counters(from counter: Int) -> [Int] {
        [counter, counter == .max ? counter : counter + 1]
    }

    private static func codes(
        _ mechanism: LegacyMechanism,
        _ parameters: LegacyOathParameters,
        _ counters: [Int]
    ) -> [String?] {
        mechanism.secret.withUTF8 {
            LegacyRules.codes(secret: $0, parameters: parameters, counters: counters)
        }
    }

    private func proof(_ new: [String?]) -> Proof {
        Proof(codes == new, else: .makesOtherCodes)
    }

    private func code(_ make: () throws -> String) -> String? {
        do {
            return try make()
        } catch {
            return nil
        }
    }
}

/// The result of a comparison between a stored record and its source record.
enum Proof: Equatable {
    /// The stored record was read back and is equivalent.
    case proven
    /// The destination does not have the record.
    case absent
    /// The destination's record differs from the source record, or the two cannot be compared.
    case different(MigrationIssue)

    /// Creates `proven` if `condition` is true, otherwise `different`.
    init(_ condition: Bool, else issue: MigrationIssue) {
        self = condition ? .proven : .different(issue)
    }

    /// The issue to report; `nil` if the record is proven.
    var issue: MigrationIssue? {
        switch self {
        case .proven: nil
        case .absent: .absent
        case .different(let issue): issue
        }
    }
}

extension MigrationResult {
    /// Returns this result, marked as verified or, if the proof failed, with the issue of the proof.
    func verified(by proof: Proof) -> MigrationResult {
        MigrationResult(
            outcome,
            credentialId: credentialId,
            issue: proof.issue ?? issue,
            isVerified: proof == .proven
        )
    }
}
