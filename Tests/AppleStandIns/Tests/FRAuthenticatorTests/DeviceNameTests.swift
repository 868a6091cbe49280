import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import Testing

/// The device name that both APIs send to servers.
@Suite("Name of the device in requests")
struct DeviceNameTests {
    private let process = AppProcess()

    init() async { await nameDevice("Babs’ iPhone") }

    @Test func theLegacyAPISendsTheDeviceNameAtRegistration() async throws {
        await Application.didFinishLaunching()
        _ = try await process.enrol()
        #expect(process.server.requests[0].claims?["deviceName"] == "Babs’ iPhone")
    }

    @Test func theLegacyAPISendsTheDeviceNameWithATokenUpdate() async throws {
        await Application.didFinishLaunching()
        let mechanism = try await process.enrol()
        let report = await outcome {
            FRAPushHandler.shared.updateDeviceToken(
                mechanism: mechanism,
                deviceToken: "AB",
                onSuccess: $0,
                onFailure: $1
            )
        }
        #expect(report.error == nil)
        #expect(process.server.requests.map(\.action) == [.register, .refresh])
        #expect(process.server.requests[1].claims?["deviceName"] == "Babs’ iPhone")
    }

    @Test func theAsyncAPISendsTheCurrentDeviceNameAtRegistrationAndRefresh() async throws {
        let server = process.server
        let client = try await PushClient.createClient { $0.transport = server }
        try await client.setDeviceToken("00ff")
        try await client.addCredentialFromUri(AppProcess.code())
        await nameDevice("Babs’ other iPhone")
        try await client.setDeviceToken("00fe")
        #expect(server.requests.map(\.action) == [.register, .refresh])
        #expect(server.requests.map { $0.claims?["deviceName"] } == ["Babs’ iPhone", "Babs’ other iPhone"])
    }

    @Test func theNewApiSendsTheNameThatTheAppSet() async throws {
        let server = process.server
        let client = try await PushClient.createClient {
            $0.transport = server
            $0.deviceName = "Wall tablet"
        }
        try await client.setDeviceToken("00ff")
        try await client.addCredentialFromUri(AppProcess.code())
        #expect(server.requests[0].claims?["deviceName"] == "Wall tablet")
    }
}
