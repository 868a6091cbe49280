import PushBridgePlatform
import Testing

@Suite("Name of the device")
struct DeviceNameTests {
    @Test func theAsyncMethodReturnsTheCurrentDeviceName() async {
        await nameDevice("First")
        #expect(await DeviceName.read() == "First")
        await nameDevice("Second")
        #expect(await DeviceName.read() == "Second")
    }

    @Test func theSynchronousDeviceNameIsReadOnTheMainThread() async {
        await nameDevice("Third")
        _ = await DeviceName.read()
        await nameDevice("Fourth")
        #expect(DeviceName.current == "Third")
        await mainThreadIsDone()
        #expect(DeviceName.current == "Fourth")
    }

    /// Does nothing; a caller on another thread waits until the main thread has finished its earlier work.
    @MainActor private func mainThreadIsDone() {}
}
