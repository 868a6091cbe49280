package import Foundation
package import PingAMSimulator
@_spi(PushBridgeTools) package import PushBridgeCore

/// What a screen shows of a world: read from the store and the server, not through an API, so that looking changes
/// nothing.
package struct Scene: Sendable {
    /// A push that the server sent.
    package struct Push: Sendable {
        /// The scenario's name of it.
        package let name: String
        /// The server's id of it.
        package let messageId: String
        /// The login page's present state; `nil` if the server does not know it.
        package let state: PushState?
        /// The number that the login page shows, of a challenge.
        package let number: Int?
    }

    /// Everything in the store.
    package let contents: StoreContents
    /// The scenario's names of credentials, by their ids.
    package let credentials: [String: String]
    /// The pushes, in the order in which they were sent.
    package let pushes: [Push]
    /// The ids of the devices that the server knows.
    package let devices: Set<String>
    /// The time on the device and on the server.
    package let now: Date
    /// Whether the device is locked.
    package let isLocked: Bool
    /// Whether the device does not recognise its user.
    package let refusesFace: Bool
    /// Whether biometric authentication is available.
    package let hasBiometrics: Bool
}

extension Play {
    /// The present state of a screen.
    func scene() throws -> Scene {
        let phone = world.phone
        return Scene(
            contents: try contents ?? world.contents(),
            credentials: Dictionary(credentials.map { ($0.value, $0.key) }) { first, _ in first },
            pushes: pushOrder.compactMap { name in
                guard let message = messages[name] else { return nil }
                return Scene.Push(
                    name: name,
                    messageId: message.id,
                    state: world.server.state(ofPush: message.id),
                    number: numbers[name]
                )
            },
            devices: Set(world.server.withService { Array($0.devices.keys) }),
            now: phone.now,
            isLocked: phone.isLocked,
            refusesFace: phone.refusesFace,
            hasBiometrics: phone.hasBiometrics
        )
    }
}

extension Stage {
    /// The present state of a side's screen.
    package func scene(of side: Side) async throws -> Scene { try await play(side).scene() }

    /// Lets one more second pass on both sides after a step that lets time pass, and records the step as it is then.
    package func passSecond(as step: Step) async throws -> Moments {
        let legacy = try await play(.legacy).idle(step)
        return (legacy, isShared ? legacy : try await play(.async).idle(step))
    }
}
