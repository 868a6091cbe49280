import Crypto
import Foundation
import PushBridgeCore

/// Proves that a stored push credential signs as its legacy mechanism does.
struct PushProof {
    let mechanism: LegacyMechanism
    let parameters: LegacyPushParameters
    let stored: PushCredential

    /// Answers a fresh random challenge and signs a token by the legacy rule from the source record, and by the
    /// new rule from the stored credential.
    func run() -> Proof {
        let challenge = SharedSecret.random(count: 32).withUnsafeBytes { Data($0) }
        guard let key = mechanism.secret.withUTF8(LegacyRules.key) else {
            return .different("The source's secret cannot sign.")
        }
        let response = ChallengeResponse.compute(challenge: challenge, secret: stored.sharedSecret)
        guard response == LegacyRules.response(challenge: challenge, key: key) else {
            return .different("The stored credential answers a challenge differently.")
        }
        let claims = #"{"response":"\#(response)"}"#
        guard
            stored.sharedSecret.signedToken(claims: Data(claims.utf8))
                == LegacyRules.token(claims: claims, key: key)
        else { return .different("The stored credential signs differently.") }
        guard let endpoints = parameters.endpoints else {
            return .different("The source's addresses are none.")
        }
        return Proof(
            stored.covers(endpoints, knowingServerOnly: parameters.knowsServerOnly),
            else: "The stored credential talks to other endpoints."
        )
    }
}
