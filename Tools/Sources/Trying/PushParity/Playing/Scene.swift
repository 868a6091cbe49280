package import Foundation
package import PingAMSimulator
@_spi(PushBridgeTools) package import PushBridgeCore

/// The content of a screen, read from the store and the server and not through an API, so that reading changes nothing.
package struct Scene: Sendable {
    /// A push that the server sent.
    package struct Push: Sendable {
        /// The push's name in the scenario.
        package let name: String
        /// The push's id at the server.
        package let messageId: String
        /// The current state of the login page; `nil` if the server does not know the push.
        package let state: PushState?
        /// The number on the login page of a challenge.
        package let number: Int?
    }

    /// Everything in the store.
    package let contents: StoreContents
    /// The names of credentials in the scenario, by their ids.
    package let credentials: [String: String]
    /// The pushes in sending order.
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
    /// The current content of the screen.
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
    /// The current content of a side's screen.
    package func scene(of side: Side) async throws -> Scene { try await play(side).scene() }

    /// Advances the time by a second on both sides after a step that lets time pass, and records the step again.
    package func passSecond(as step: Step) async throws -> Moments {
        let legacy = try await play(.legacy).idle(step)
        return (legacy, isShared ? legacy : try await play(.async).idle(step))
    }
}
