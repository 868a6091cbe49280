import Foundation
import PushBridgeCore
import PushBridgeStore
import Testing

@Suite struct ReceivingTests {
    private let credential: PushCredential
    private let store = MemoryCredentialStore()

    init() throws {
        let credential = try #require(PushCredential.sample(secret: PushCredential.recordedSecret))
        self.credential = credential
        try store.write { try $0.save(credential) }
    }

    private func push(
        _ extra: [String: JSONValue] = [:],
        signedWith signer: PushCredential? = nil
    ) throws -> UnverifiedPush {
        let required: [String: JSONValue] = ["u": "id", "c": .string(PushCredential.recordedChallenge)]
        let claims = JSONValue.object(required.merging(extra) { _, new in new })
        let payload = try #require(PushPayload((signer ?? credential).payload(claims)))
        let push = try UnverifiedPush(payload)
        return try #require(push)
    }

    @Test func aVerifiedPushIsStored() throws {
        let notification = try store.receive(push(), id: "push", receivedAt: .sample).notification
        #expect(try store.read { try $0.notifications().values } == [notification])
        #expect(try store.read { try $0.pushCredentials().values } == [credential])
    }

    @Test func aRepeatedMessageReturnsTheStoredNotification() throws {
        let first = try store.receive(push(), id: "first", receivedAt: .sample).notification
        let again = try store.receive(push(["m": "again"]), id: "again", receivedAt: .distantFuture)
            .notification
        #expect(again == first)
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 1)
    }

    @Test func aLaterPushDoesNotOverwriteTheUserId() throws {
        _ = try store.receive(push(["d": "id=demo"]), id: "push", receivedAt: .sample)
        #expect(try store.read { try $0.pushCredential(id: "id")?.userId } == "id=demo")
        let token = credential.token(["u": "id", "c": "Y2g=", "d": "id=other"])
        let push = try UnverifiedPush(PushPayload(messageId: "AUTHENTICATE:2", token: token))
        _ = try store.receive(#require(push), id: "other", receivedAt: .sample)
        #expect(try store.read { try $0.pushCredential(id: "id")?.userId } == "id=demo")
    }

    @Test func nothingOfARefusedPushIsStored() throws {
        let forger = try #require(PushCredential.sample(secret: "AQID"))
        #expect(throws: PushReceptionError.token(.signatureMismatch)) {
            try store.receive(push(["d": "evil"], signedWith: forger), id: "push", receivedAt: .sample)
        }
        #expect(throws: PushReceptionError.unknownCredential) {
            try store.receive(push(["u": "nobody"]), id: "push", receivedAt: .sample)
        }
        #expect(throws: PushReceptionError.invalidClaim("c")) {
            try store.receive(push(["d": "evil", "c": 1]), id: "push", receivedAt: .sample)
        }
        #expect(try store.read { try $0.notifications().values } == [])
        #expect(try store.read { try $0.pushCredentials().values } == [credential])
    }

    @Test func aMessageOfAnotherCredentialIsNotReturned() throws {
        let known = PushNotification(
            id: "known",
            credentialId: "another",
            message: PushMessage(id: "AUTHENTICATE:1", challenge: "Y2g="),
            ttl: 120,
            sentAt: .sample,
            createdAt: .sample
        )
        try store.write { try $0.save(known) }
        #expect(throws: PushReceptionError.messageTaken) {
            try store.receive(push(), id: "push", receivedAt: .sample)
        }
    }
}
