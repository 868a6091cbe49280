import PushBridgePlatform
import Testing

@Suite("Name of the device")
struct DeviceNameTests {
    @Test func whoCanWaitHearsTheName() async {
        await nameDevice("First")
        #expect(await DeviceName.told() == "First")
        await nameDevice("Second")
        #expect(await DeviceName.told() == "Second")
    }

    @Test func whoCannotWaitHearsWhatTheMainThreadHeardLast() async {
        await nameDevice("Third")
        _ = await DeviceName.told()
        await nameDevice("Fourth")
        #expect(DeviceName.current == "Third")
        await mainThreadIsDone()
        #expect(DeviceName.current == "Fourth")
    }

    /// Waits for what the main thread was asked to do before.
    @MainActor private func mainThreadIsDone() {}
}
