package pairsum

// Slots is the number of sums of SlotSums.
const Slots = 256

// SlotSums are sums of weights by slot. The four neighbours of a group have a table each.
type SlotSums [4][Slots]float32

// Add adds the weights of the groups of a list to the sums of the slots of the neighbours'
// cells. j is the index before the first group, and cell has the cells of all particles. It
// stops before a group with a neighbour whose cell has the slot 0. It returns the number of
// groups that it added, and the index before the next one.
func (s *SlotSums) Add(slot []uint8, cell []int32, list []Group, j int32) (done int, at int32) {
	if len(list) == 0 {
		return 0, j
	}
	return addBySlot(s, slot, cell, list, j)
}

func addBySlotGo(s *SlotSums, slot []uint8, cell []int32, list []Group, j int32) (done int, at int32) {
	for n := range list {
		pairs, next := &list[n], j
		var slots [4]uint8
		for m := range slots {
			next += int32(pairs.Step[m])
			if slots[m] = slot[cell[next]]; slots[m] == 0 {
				return n, j
			}
		}
		for m, k := range slots {
			s[m][k] += single[pairs.F[m]]
		}
		j = next
	}
	return len(list), j
}
