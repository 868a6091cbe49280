import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The notification content that a service extension creates from pushes.
@Suite("Service extension")
struct ContentTests {
    @Test func aLoginShowsItsIssuerAccountMessageAndOrigin() async throws {
        let phone = try await Phone(.async)
        let credential = try await phone.enrol()
        let push = try phone.push(.challenge, to: credential) { order in
            order.message = "Login to the shop"
            order.contextInfo =
                #"{"location":{"latitude":48.2082,"longitude":16.3738},"remoteIp":"203.0.113.7","userAgent":"Approve me"}"#
        }
        let content = try #require(await phone.content(of: push.userInfo))
        #expect(content.kind == .login)
        #expect(content.title == "Example")
        #expect(content.subtitle == "demo")
        #expect(content.body == "Login to the shop\n203.0.113.7 · 48.21, 16.37")
        #expect(content.threadId == credential.id)
        #expect(content.collapseId == push.messageId)
        #expect(content.badge == 1)
        #expect(content.category == .challenge)
        #expect(try phone.stored().map(\.messageId) == [push.messageId])
        // A second push arrives, and then the first push arrives again.
        let next = try phone.push(to: credential)
        #expect(await phone.content(of: next.userInfo)?.badge == 2)
        #expect(await phone.content(of: push.userInfo) == phone.content(of: push.userInfo))
        #expect(try phone.stored().count == 2)
    }

    @Test(arguments: API.allCases)
    func bothAPIsReturnTheOriginOfALogin(_ api: API) async throws {
        let phone = try await Phone(api)
        let text =
            #"{"remoteIp":"2001:db8::1","location":{"latitude":"48.2","longitude":16.4},"userAgent":null}"#
        let push = try phone.push(to: await phone.enrol()) { $0.contextInfo = text }
        try await phone.process(push.userInfo)
        let shown = try await phone.shownContexts()
        #expect(shown.count == 2)
        for (contextInfo, context) in shown {
            #expect(contextInfo == text)
            #expect(context.remoteAddress == "2001:db8::1")
            #expect(context.location == PushContext.Location(latitude: 48.2, longitude: 16.4))
            #expect(context.userAgent == nil)
        }
    }

    /// Messages of the server are not translated, but PushBridge's own texts are translated.
    @Test func ownTextsAreTranslatedAndServerMessagesAreNot() async throws {
        let phone = try await Phone(.async)
        let credential = try await phone.enrol()
        let push = try phone.push(to: credential) { $0.message = "Log in?" }
        #expect(await phone.content(of: push.userInfo, texts: PushTexts(.french))?.body == "Log in?")
        phone.advance(121)
        let ended = await phone.content(of: push.userInfo, texts: PushTexts(.german))
        #expect(ended?.body == "Diese Anfrage ist beendet.")
        phone.store.isLocked.withValue { $0 = true }
        let later = await phone.content(of: push.userInfo, texts: PushTexts(.spanish))
        #expect(later?.title == "Mensaje nuevo")
        let actions = PushActions(titles: PushActions.Titles(.french)).actions(of: .challenge)
        #expect(actions.map(\.title) == ["Saisir le nombre", "Refuser"])
    }

    @Test(arguments: [#"{"remoteIp":"tap approve"}"#, #"{"remoteIp":7}"#, "no JSON", "{  }", "[]"])
    func contextWithoutAnAddressIsNotShown(_ context: String) async throws {
        let phone = try await Phone(.async)
        let push = try phone.push(to: await phone.enrol()) { order in
            order.message = "Login"
            order.contextInfo = context
        }
        #expect(await phone.content(of: push.userInfo)?.body == "Login")
    }

    @Test func aPushThatCannotBeVerifiedIsShownAsSuspiciousWithoutButtons() async throws {
        let phone = try await Phone(.async)
        let credential = try await phone.enrol()
        let push = try phone.push(to: credential)
        let claims: JSONValue = ["u": .string(credential.id), "c": "Y2g=", "m": "Trust me"]
        let forged: JSONValue = [
            "aps": [
                "alert": "Trust me", "messageId": "AUTHENTICATE:1",
                "data": .string(SharedSecret.random().signedToken(claims: claims.data)),
            ]
        ]
        let content = try #require(await phone.content(of: forged))
        #expect(content.kind == .suspicious)
        #expect(content.title == "Unverified message")
        #expect(!content.body.contains("Trust me"))
        #expect(content.category == nil && content.badge == nil)
        #expect(try phone.stored().isEmpty)
        // A push whose credential was removed cannot be verified. Because the store has another credential, the
        // extension shows the push as suspicious.
        _ = try await phone.enrol("another")
        _ = try phone.store.write { try $0.deletePushCredential(id: credential.id) }
        #expect(await phone.content(of: push.userInfo)?.kind == .suspicious)
    }

    /// If the store has no credential, the text is neutral.
    ///
    /// The app may have been updated but not opened since, so that its accounts have not been migrated yet.
    @Test func withoutAnyCredentialTheTextIsNeutral() async throws {
        let phone = try await Phone(.async)
        let credential = try await phone.enrol()
        let push = try phone.push(to: credential)
        _ = try phone.store.write { try $0.deletePushCredential(id: credential.id) }
        #expect(await phone.content(of: push.userInfo)?.kind == .postponed)
    }

    @Test func aPushBeforeTheFirstUnlockIsShownNeutrallyAndStoredLater() async throws {
        let phone = try await Phone(.legacy)
        let push = try phone.push(to: await phone.enrol())
        phone.store.isLocked.withValue { $0 = true }
        let content = try #require(await phone.content(of: push.userInfo))
        #expect(content.kind == .postponed)
        #expect(content.category == nil)
        phone.store.isLocked.withValue { $0 = false }
        #expect(await phone.receive(delivered: [push.userInfo]) == [push.messageId])
    }

    @Test func anExpiredPushIsShownAsEnded() async throws {
        let phone = try await Phone(.async)
        let push = try phone.push(to: await phone.enrol())
        phone.advance(121)
        let content = try #require(await phone.content(of: push.userInfo))
        #expect(content.kind == .ended)
        #expect(content.body == "This request has ended.")
        #expect(content.category == nil)
        #expect(content.badge == 0)
    }

    @Test func foreignPushesStayAsTheyAre() async throws {
        let phone = try await Phone(.async)
        #expect(await phone.content(of: ["aps": ["alert": "Hello"]]) == nil)
    }

    @Test func anExpiringExtensionCallsItsHandlerOnceAndStoresThePush() async throws {
        let phone = try await Phone(.async)
        let push = try phone.push(to: await phone.enrol())
        let gate = DispatchSemaphore(value: 0)
        let store = phone.store
        let service = PushContentService(now: { phone.time.withValue { $0 } }) {
            try gate.wait(for: "the gate to open")
            return store
        }
        let shown = Guarded<[PushContent?]>([])
        service.didReceive(push.userInfo.userInfo) { content in shown.withValue { $0.append(content) } }
        #expect(shown.withValue { $0.isEmpty })
        service.willExpire()
        service.willExpire()
        #expect(shown.withValue { $0 }.map(\.?.kind) == [.postponed])
        gate.signal()
        try await waitFor("the push to be stored") { (try? phone.stored().count) == 1 }
        #expect(try phone.stored().count == 1)
        #expect(shown.withValue { $0.count } == 1)
    }
}

extension Phone {
    /// Returns the content that an extension on the same store shows; `nil` if the extension does not change the
    /// push.
    func content(of userInfo: JSONValue, texts: PushTexts = PushTexts()) async -> PushContent? {
        let (store, time) = (store, time)
        let service = PushContentService(texts: texts, now: { time.withValue { $0 } }) { store }
        return await service.content(of: userInfo)
    }
}
