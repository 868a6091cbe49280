import PingAMSimulator
import PushBridgeCore

extension Simulator {
    /// What the server knows of devices and pushes; `pushes` are message ids.
    func record(pushes: [String]) -> JSONValue {
        let devices = withService(\.devices).mapValues(\.json)
        let states = pushes.map { id in (id, JSONValue.optional(state(ofPush: id)?.rawValue)) }
        return [
            "devices": .object(devices),
            "pushes": .object(Dictionary(states) { first, _ in first }),
        ]
    }
}
