import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// A proof accepts a credential that works like its mechanism, and rejects credentials that do not.
@Suite struct ProofTests {
    private static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

    @Test(arguments: OathAlgorithm.allCases, [6, 8])
    func aCredentialWithTheSameCodesIsProven(_ algorithm: OathAlgorithm, _ digits: Int) throws {
        for factor in factors(algorithm.rawValue, digits: digits) {
            let mechanism = try mechanism(factor)
            let stored = try OathCredential(mechanism: mechanism, account: nil)
            #expect(OathProbe(mechanism).proof(of: stored) == .proven)
        }
    }

    @Test func aCredentialWithDifferentCodesIsNotProven() throws {
        let mechanism = try mechanism(factors("sha1", digits: 6)[0])
        let wrong: [OathCredential] = [
            try credential(secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXQ"), try credential(algorithm: .sha256),
            try credential(digits: 8), try credential(factor: .time(period: 60)),
            try credential(factor: .counter(1)),
        ]
        for stored in wrong {
            #expect(OathProbe(mechanism).proof(of: stored) != .proven)
        }
        let right = try credential()
        #expect(OathProbe(mechanism).proof(of: right) == .proven)
    }

    @Test func counterThatFellBehindIsNotProven() throws {
        let mechanism = try mechanism(.hotp(LegacyOathParameters(algorithm: "sha1", digits: 6), counter: 9))
        #expect(OathProbe(mechanism).proof(of: try credential(factor: .counter(8))) != .proven)
        #expect(
            OathProbe(mechanism).proof(of: try credential(factor: .counter(10))) == .proven
        )
    }

    @Test(arguments: ["c2VjcmV0LXNlY3JldC1f_w", "c2VjcmV0LXNlY3JldC1f/w==", " c2VjcmV0LXNlY3JldC1f_w=\n"])
    func aPushCredentialWithAnySpellingOfTheSecretIsProven(_ spelling: String) throws {
        let mechanism = try mechanism(.push(parameters), secret: spelling)
        let stored = try PushCredential(mechanism: mechanism, parameters: parameters, account: nil)
        #expect(PushProbe(mechanism, parameters).proof(of: stored) == .proven)
    }

    @Test func aPushCredentialWithAnotherSecretOrEndpointIsNotProven() throws {
        let mechanism = try mechanism(.push(parameters), secret: "c2VjcmV0LXNlY3JldC1f_w")
        // The vendor's early migrator used the bytes of the base64 text as the key.
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
            #expect(PushProbe(mechanism, parameters).proof(of: stored) != .proven)
        }
    }

    /// The proof reads the record as it is stored after the transaction.
    ///
    /// The store changes the record at the end of the transaction, as a trigger in the database could.
    @Test func theProofReadsTheStoredRecord() throws {
        let store = TamperingStore()
        var legacy = LegacyStoreBuilder()
        legacy.account(display: "Shown")
        try legacy.push()
        try legacy.totp()
        let migration = CredentialMigration(from: .store(legacy.source), to: store)
        let receipt = try migration.migrate()
        #expect(receipt.outcomes == [.conflict, .conflict, .migrated])
        #expect(receipt.records.map(\.result.isVerified) == [false, false, true])
        #expect(receipt.records[1].result.reason == "The stored credential answers a challenge differently.")
        #expect(try migration.verify().records.map(\.isRetirable) == [false, false, true])
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

/// A store that changes its push credentials and accounts at the end of each write transaction.
private final class TamperingStore: WrappingStore {
    let store: any CredentialStore = MemoryCredentialStore()

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write { view in
            let value = try body(view)
            for credential in try view.pushCredentials() {
                try view.put(
                    PushCredential(
                        id: credential.id,
                        account: credential.account,
                        endpoints: credential.endpoints,
                        sharedSecret: .random(),
                        createdAt: credential.createdAt
                    )
                )
            }
            for var account in try view.accounts() {
                account.customDisplayIssuer = "Other"
                try view.put(account)
            }
            return value
        }
    }
}
