import FRAuthenticator
import Foundation
import PingAMSimulator
import PushBridgeCore
import Security
import Testing

#if SwiftUIAppStep1
@testable import SwiftUIAppStep1
#elseif SwiftUIAppStep2
@testable import SwiftUIAppStep2
#else
@testable import SwiftUIApp
#endif

/// Behaviour that differs between the steps.
@Suite("Steps of the SwiftUI app", .serialized) @MainActor
struct StepTests {
    private let device: Device
    private var model: LoginModel { device.model }

    init() async throws {
        device = try await Device()
    }

    /// Returns the id of the only mechanism at the server.
    private func mechanism() throws -> String {
        try #require(device.server.withService(\.devices).keys.first)
    }

    private func code() throws -> String {
        try device.server.createCode(RegistrationOrder(issuer: "Example", account: "demo")).uri
    }

    #if SwiftUIAppStep1
    /// The call sites in `Accounts.swift` are the same in the first two steps; only `Launch.swift` differs.
    @Test func stepTwoLeavesTheCallSitesAlone() throws {
        let example = try Project("SwiftUIApp")
        let files = try ["Step1", "Step2"].map { try Data(contentsOf: example.url("\($0)/Accounts.swift")) }
        #expect(files[0] == files[1])
    }
    #elseif SwiftUIAppStep2
    @Test func theAccountsMoveWhenTheSwitchIsOn() async throws {
        defer { Launch.isMigrationOn = false }
        await model.register(Data([1, 2]))
        await model.enrol(try code())
        #expect(try storedAccounts() == 0)
        device.launch()
        await model.refresh()
        #expect(try storedAccounts() == 0)

        Launch.isMigrationOn = true
        device.launch()
        await model.refresh()
        try await waitFor("the account to move") { try storedAccounts() == 1 }
        try await waitFor("the end of the move") {
            switch FRAClient.migration.outcome {
            // After the move, PushBridge may already have looked for new items and found none: `nothingToDo`.
            case .done, .nothingToDo: true
            case .notRun, .inPlace, .later, .failed, .held: false
            }
        }
        await model.refresh()
        #expect(model.accounts.map(\.name) == ["demo"])
        let push = try device.server.createPush(PushOrder(mechanismUid: mechanism()))
        #expect(await device.present(push.payload) != 0)
        await model.refresh()
        await model.approve(try #require(model.logins.first))
        #expect(device.server.state(ofPush: push.messageId) == .approved)
        #expect(model.message == nil)

        device.launch()
        await model.refresh()
        #expect(try SharedStore.isMigrated)
    }

    private func storedAccounts() throws -> Int {
        try SharedStore.open(.open).read { try $0.pushCredentials().values.count }
    }
    #else
    /// If the user skipped the release of step 2, step 3 imports the account once.
    ///
    /// The pushes of the imported account can be answered. After the user has removed the account, it is not imported
    /// again.
    @Test func theAccountsOfTheLegacyKeychainAreImportedOnce() async throws {
        try await device.enrolInPlace(try #require(URL(string: try code())))
        device.launch()
        await model.refresh()
        #expect(model.accounts.map(\.name) == ["demo"])
        let push = try device.server.createPush(PushOrder(mechanismUid: mechanism()))
        await device.respond(with: device.tap(push.payload))
        #expect(model.path == model.logins.map(\.id))
        await model.approve(try #require(model.logins.first))
        #expect(device.server.state(ofPush: push.messageId) == .approved)

        await model.remove(try #require(model.accounts.first))
        device.launch()
        await model.refresh()
        #expect(model.accounts.isEmpty && model.message == nil)
    }

    /// The app shows a push that only the extension received, because the app observes the shared store.
    @Test func theAppShowsAPushThatTheExtensionReceived() async throws {
        await model.register(Data([1, 2]))
        await model.enrol(try code())
        device.connect()
        try await waitFor("the account to be listed") { device.page?.lines == ["demo at Example"] }
        let push = try device.server.createPush(PushOrder(mechanismUid: mechanism()))
        let title = try await waitForCall("the extension's content") { device.rewrite(push.payload, $0) }
        #expect(title == "Example")
        try await waitFor("the login to be listed") { model.logins.count == 1 }
        await model.deny(try #require(model.logins.first))
        #expect(device.server.state(ofPush: push.messageId) == .denied)
    }
    #endif
}
