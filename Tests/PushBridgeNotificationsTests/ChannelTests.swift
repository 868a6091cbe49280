import Foundation
@_spi(PushBridgeTools) import PushBridgeCore
import Testing

/// Payload limits and topics of channels, the names of providers, and registration errors.
@Suite("Channels")
struct ChannelTests {
    private func payload(_ bytes: Int, _ rest: String = "") -> Data {
        let frame = #"{"a":""\#(rest)}"#
        return Data(#"{"a":"\#(String(repeating: "x", count: bytes - frame.utf8.count))"\#(rest)}"#.utf8)
    }

    @Test(arguments: [(PushChannel.alert, 4096), (.voIP, 5120), (.complication, 4096), (.fileProvider, 4096)])
    func payloadsHaveALimit(_ channel: PushChannel, _ limit: Int) {
        #expect(channel.largestPayload == limit)
        #expect(payload(limit).count == limit)
        #expect(channel.delivers(payload(limit)))
        #expect(!channel.delivers(payload(limit + 1)))
        let bundle = #","Simulator Target Bundle":"com.example.app""#
        #expect(channel.delivers(payload(limit + bundle.utf8.count, bundle)))
        #expect(!channel.delivers(payload(limit + bundle.utf8.count + 1, bundle)))
    }

    /// Spaces and escape sequences count as they are written in the payload, even if a JSON encoder would write them
    /// differently.
    @Test(arguments: ["", #" "Simulator Target Bundle" : "com.example.app","#])
    func payloadBytesAreCountedAsWritten(_ app: String) {
        func file(bytes: Int) -> Data {
            let (start, end) = (#"{ "z" : "\u0041","#, #" "a" : ""}"#)
            let text = String(repeating: "x", count: bytes - start.utf8.count - end.utf8.count)
            return Data("\(start)\(app)\(end.dropLast(2))\(text)\"}".utf8)
        }
        #expect(PushChannel.alert.delivers(file(bytes: 4096)))
        #expect(!PushChannel.alert.delivers(file(bytes: 4097)))
    }

    @Test(arguments: [
        (
            #"{"Simulator Target Bundle":"com.example.app","aps":{ "alert":"\u0041" }}"#,
            #"{"aps":{ "alert":"\u0041" }}"#
        ),
        (#"{"aps":{},"Simulator Target Bundle" : "com.example.app"}"#, #"{"aps":{}}"#),
        (#"{"Simulator Target Bundle":"a\"b","aps":{}}"#, #"{"aps":{}}"#),
        (#"{ "Simulator Target Bundle":"com.example.app" }"#, "{  }"),
        (#"{"aps":{"Simulator Target Bundle":"stays"}}"#, #"{"aps":{"Simulator Target Bundle":"stays"}}"#),
        ("no JSON", "no JSON"),
    ])
    func onlyTheTargetBundleIsRemovedFromAPayloadFile(_ file: String, _ payload: String) {
        #expect(String(decoding: PushChannel.payload(ofFile: Data(file.utf8)), as: UTF8.self) == payload)
    }

    @Test func customPayloadsHaveASmallerLimit() {
        #expect(PushChannel.largestCustomPayload == 3072)
    }

    @Test func theTopicOfACallHasASuffix() {
        #expect(PushChannel.alert.topic(bundle: "com.example.app") == "com.example.app")
        #expect(PushChannel.voIP.topic(bundle: "com.example.app") == "com.example.app.voip")
        for channel in PushChannel.allCases {
            #expect(PushChannel.bundle(topic: channel.topic(bundle: "com.example.app")) == "com.example.app")
        }
    }

    @Test func providersAreNamedByTopicOrBundle() {
        let providers: PushProviders = ["com.example.app": "Shop", "com.example.app.voip": "Calls"]
        #expect(providers.name(forTopic: "com.example.app") == "Shop")
        #expect(providers.name(forTopic: "com.example.app.voip") == "Calls")
        #expect(providers.name(forTopic: "com.example.app.complication") == "Shop")
        #expect(providers.name(forTopic: "com.example.other") == nil)
    }

    @Test(arguments: [
        (NSCocoaErrorDomain, 3000, PushRegistrationFailure.noEntitlement),
        (NSCocoaErrorDomain, 3010, .simulator),
        (NSURLErrorDomain, -1009, .offline),
        (NSCocoaErrorDomain, 4, .other(domain: NSCocoaErrorDomain, code: 4)),
    ])
    func registrationErrorsAreTyped(
        _ domain: String,
        _ code: Int,
        _ failure: PushRegistrationFailure
    ) {
        #expect(PushRegistrationFailure(NSError(domain: domain, code: code)) == failure)
    }

    @Test func everyCategoryHasItsButtons() {
        let titles = PushActions.Titles(approve: "Ja", deny: "Nein", enterNumber: "Zahl")
        let actions = PushActions(titles: titles)
        #expect(actions.actions(of: .tap).map(\.title) == ["Ja", "Nein"])
        #expect(actions.actions(of: .challenge).map(\.title) == ["Zahl", "Nein"])
        #expect(actions.actions(of: .biometric).map(\.title) == ["Ja", "Nein"])
        #expect(
            PushCategory.allCases.map(\.rawValue) == [
                "authentication", "authentication_challenge", "authentication_biometric",
            ]
        )
        for action in PushCategory.allCases.flatMap(actions.actions) {
            #expect(action.isDestructive == (action.kind == .deny))
            #expect(action.requiresUnlock == (action.kind != .deny))
        }
        #expect(actions.actions(of: .challenge).allSatisfy { $0.kind != .approve })
        #expect(actions.actions(of: .biometric).filter(\.opensApp).map(\.kind) == [.approve])
    }
}
