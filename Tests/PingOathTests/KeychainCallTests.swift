import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The number of keychain calls that each operation needs after the first transaction of its store.
///
/// The number must not increase with the number of stored items; only the accounts of a short list are read one by
/// one.
@Suite("Keychain calls")
struct KeychainCallTests {
    private let keychain = CountingKeychain()
    private static let stored = [0, 3, 40]

    @Test(arguments: zip(stored, [0, 3, 1]))
    func aListReadsAllItemsOfAServiceInOneQuery(_ count: Int, _ readsOfAccounts: Int) async throws {
        let (push, oath) = try await clients(storing: count)
        // One query reads the credentials, and one more query reads the secrets of the TOTP and HOTP credentials. If
        // there are only a few accounts, they are read one by one; otherwise one query reads them. The
        // store's first transaction has already searched for a journal.
        var found = 0
        let codes = try await keychain.calls { found = try await oath.getCredentials().count }
        #expect(codes == CountingKeychain.Calls(reads: 2 + readsOfAccounts))
        #expect(found == count)
        let pushes = try await keychain.calls { found = try await push.getCredentials().count }
        #expect(pushes == CountingKeychain.Calls(reads: 1 + readsOfAccounts))
        #expect(found == count)
    }

    @Test(arguments: stored)
    func enrollingACodeWritesEachItemOnceAndTheJournalTwice(_ count: Int) async throws {
        let (_, oath) = try await clients(storing: count)
        let uri = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        let calls = try await keychain.calls { _ = try await oath.addCredentialFromUri(uri) }
        // The reads: the journal, the look-up keys of both kinds, the account, and whether the items exist. The writes:
        // the secret, the credential and its account, between two writes of the journal.
        #expect(calls == CountingKeychain.Calls(reads: 6, writes: 3 + 2))
    }

    @Test(arguments: stored)
    func enrollingAPushWritesOnceForEachItem(_ count: Int) async throws {
        let (push, _) = try await clients(storing: count)
        let calls = try await keychain.calls {
            _ = try await push.addCredentialFromUri(PushRegistration.sample().uri())
        }
        // One transaction with two reads precedes the request to the server, and another transaction follows
        // the request.
        #expect(calls == CountingKeychain.Calls(reads: 2 + 6, writes: 2))
    }

    /// The number of calls does not depend on the number of credentials.
    ///
    /// The keychain decrypts only the items of the account.
    @Test(arguments: stored)
    func deletingACredentialMakesTheSameCallsForAnyNumberOfCredentials(_ count: Int) async throws {
        let (push, oath) = try await clients(storing: count)
        let credential = try await push.addCredentialFromUri(PushRegistration.sample().uri())
        let code = try await oath.addCredentialFromUri(
            "otpauth://totp/Example:carl?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        )
        // Between two writes of the journal, the credential and its account are removed; for the TOTP credential, also
        // its secret. One read looks for an unfinished move to another store.
        let pushes = try await keychain.calls { _ = try await push.deleteCredential(credential.id) }
        #expect(pushes == CountingKeychain.Calls(reads: 9, writes: 4))
        #expect(keychain.opened <= 4)
        let codes = try await keychain.calls { _ = try await oath.deleteCredential(code.id) }
        #expect(codes == CountingKeychain.Calls(reads: 8, writes: 5))
        #expect(keychain.opened <= 4)
    }

    @Test(arguments: stored)
    func answeringWritesThePushOnceBeforeAndOnceAfterTheRequest(_ count: Int) async throws {
        let (push, _) = try await clients(storing: count)
        let credential = try await push.addCredentialFromUri(PushRegistration.sample().uri())
        let claims: JSONValue = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
        let token = credential.sharedSecret.signedToken(claims: claims.data)
        let message: JSONValue = ["aps": ["messageId": "AUTHENTICATE:1", "data": .string(token)]]
        let received = try #require(await push.processNotification(message: message.text))
        let calls = try await keychain.calls { _ = try await push.approveNotification(received.id) }
        #expect(calls == CountingKeychain.Calls(reads: 4 + 2, writes: 2))
    }

    @Test(arguments: stored)
    func makingAnHOTPCodeWritesOnlyItsCredential(_ count: Int) async throws {
        let (_, oath) = try await clients(storing: count)
        let uri = "otpauth://hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&counter=7"
        let credential = try await oath.addCredentialFromUri(uri)
        let calls = try await keychain.calls { _ = try await oath.generateCode(credential.id) }
        // For the account's policies, the credential, its secret and its account are read. Then the journal and the
        // same three items are read, and the credential is written with the next counter.
        #expect(calls == CountingKeychain.Calls(reads: 3 + 4, writes: 1))
    }

    @Test(arguments: stored)
    func oneCredentialIsReadByItsItemsAndItsAccount(_ count: Int) async throws {
        let (push, oath) = try await clients(storing: count)
        let code = try await oath.addCredentialFromUri(
            "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        )
        let credential = try await push.addCredentialFromUri(PushRegistration.sample("carl").uri())
        let codes = try await keychain.calls { _ = try await oath.getCredential(code.id) }
        #expect(codes == CountingKeychain.Calls(reads: 3))
        let pushes = try await keychain.calls { _ = try await push.getCredential(credential.id) }
        #expect(pushes == CountingKeychain.Calls(reads: 2))
    }

    private func clients(storing count: Int) async throws -> (PushClient, OathClient) {
        let (pushes, codes) = (
            PushKeychainStorage(keychain: keychain), OathKeychainStorage(keychain: keychain)
        )
        let push = try await PushClient.createClient { config in
            config.storage = pushes
            config.transport = FakeTransport()
            config.logger = LogManager.none
        }
        let oath = try await OathClient.createClient { config in
            config.storage = codes
            config.logger = LogManager.none
        }
        try await push.setDeviceToken("00ff")
        for number in 0..<count {
            try await push.addCredentialFromUri(PushRegistration.sample("user\(number)").uri())
            let uri = "otpauth://totp/Example:user\(number)?secret=JBSWY3DPEHPK3PXP&issuer=Example"
            try await oath.addCredentialFromUri(uri)
        }
        // The first transaction of each store searches for an unfinished transaction of an earlier process.
        _ = try await (push.getCredentials(), oath.getCredentials())
        return (push, oath)
    }
}
