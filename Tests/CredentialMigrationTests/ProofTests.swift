import Foundation
import LegacyStore
import PushBridgeCore
import Testing

@testable import CredentialMigration

/// A proof must fail for every way in which a stored credential can be wrong.
@Suite struct ProofTests {
    private static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

    @Test(arguments: OathAlgorithm.allCases, [6, 8])
    func rightCodesAreProven(_ algorithm: OathAlgorithm, _ digits: Int) throws {
        for factor in factors(algorithm.rawValue, digits: digits) {
            let mechanism = try mechanism(factor)
            let stored = try OathCredential(mechanism: mechanism, account: nil)
            #expect(OathProof(mechanism: mechanism, stored: stored).run() == .proven)
        }
    }

    @Test func wrongCodesAreNot() throws {
        let mechanism = try mechanism(factors("sha1", digits: 6)[0])
        let wrong: [OathCredential] = [
            try credential(secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXQ"), try credential(algorithm: .sha256),
            try credential(digits: 8), try credential(factor: .time(period: 60)),
            try credential(factor: .counter(1)),
        ]
        for stored in wrong {
            #expect(OathProof(mechanism: mechanism, stored: stored).run() != .proven)
        }
        let right = try credential()
        #expect(OathProof(mechanism: mechanism, stored: right).run() == .proven)
    }

    @Test func counterThatFellBehindIsNotProven() throws {
        let mechanism = try mechanism(.hotp(LegacyOathParameters(algorithm: "sha1", digits: 6), counter: 9))
        #expect(OathProof(mechanism: mechanism, stored: try credential(factor: .counter(8))).run() != .proven)
        #expect(
            OathProof(mechanism: mechanism, stored: try credential(factor: .counter(10))).run() == .proven
        )
    }

    @Test(arguments: ["c2VjcmV0LXNlY3JldC1f_w", "c2VjcmV0LXNlY3JldC1f/w==", " c2VjcmV0LXNlY3JldC1f_w=\n"])
    func pushSignsAsItsMechanismDoes(_ spelling: String) throws {
        let mechanism = try mechanism(.push(parameters), secret: spelling)
        let stored = try PushCredential(mechanism: mechanism, parameters: parameters, account: nil)
        #expect(PushProof(mechanism: mechanism, parameters: parameters, stored: stored).run() == .proven)
    }

    @Test func pushThatSignsOrTalksOtherwiseIsNotProven() throws {
        let mechanism = try mechanism(.push(parameters), secret: "c2VjcmV0LXNlY3JldC1f_w")
        // What the vendor's early migrator did: the text itself as the key.
        let copied = try #require(SharedSecret(utf8: "c2VjcmV0LXNlY3JldC1f_w"))
        let elsewhere = try #require(
            PushEndpoints(
                registration: parameters.registrationEndpoint,
                authentication: "https://other.example.com/push?_action=authenticate"
            )
        )
        let sound = try PushCredential(mechanism: mechanism, parameters: parameters, account: nil)
        let wrong = [
            PushCredential(
                id: sound.id,
                account: sound.account,
                endpoints: sound.endpoints,
                sharedSecret: copied,
                createdAt: sound.createdAt
            ),
            PushCredential(
                id: sound.id,
                account: sound.account,
                endpoints: elsewhere,
                sharedSecret: sound.sharedSecret,
                createdAt: sound.createdAt
            ),
        ]
        for stored in wrong {
            #expect(PushProof(mechanism: mechanism, parameters: parameters, stored: stored).run() != .proven)
        }
    }

    private let parameters = LegacyPushParameters(
        registrationEndpoint: "https://am.example.com/push?_action=register",
        authenticationEndpoint: "https://am.example.com/push?_action=authenticate",
        registration: LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
    )

    private func factors(_ algorithm: String, digits: Int) -> [LegacyFactor] {
        let parameters = LegacyOathParameters(algorithm: algorithm, digits: digits)
        return [.totp(parameters, period: 30), .hotp(parameters, counter: 4_294_967_300)]
    }

    private func mechanism(_ factor: LegacyFactor, secret: String = secret) throws -> LegacyMechanism {
        LegacyMechanism(
            mechanismUUID: "id",
            account: AccountKey(issuer: "Bank", accountName: "alice"),
            secret: try #require(SharedSecret(utf8: secret)),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000),
            factor: factor
        )
    }

    private func credential(
        secret: String = secret,
        algorithm: OathAlgorithm = .sha1,
        digits: Int = 6,
        factor: OathMovingFactor = .time(period: 30)
    ) throws -> OathCredential {
        OathCredential(
            id: "id",
            account: AccountProfile(issuer: "Bank", accountName: "alice"),
            password: try OneTimePassword(
                secret: #require(SharedSecret(base32: secret)),
                algorithm: algorithm,
                digits: digits
            ),
            movingFactor: factor,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }
}
